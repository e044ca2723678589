/// How much waits and runs in a queue at a moment.
public struct QueueLoad: Sendable, Equatable {
    /// Quick work that waits.
    public var quick: Int
    /// Work with an asker that waits.
    public var waiting: Int
    /// Work with an asker that runs.
    public var running: Int
}
