/// The amount of waiting and running work in a queue at a moment.
public struct QueueLoad: Sendable, Equatable {
    /// The amount of waiting quick work.
    public var quick: Int
    /// The amount of waiting work with an asker.
    public var waiting: Int
    /// The amount of running work with an asker.
    public var running: Int
}
