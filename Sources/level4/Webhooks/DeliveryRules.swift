/// How hard notices are tried, and how many may wait.
public struct DeliveryRules: Sendable {
    /// Attempts at one notice, the first included.
    public var attempts = 10
    /// The time between the first two attempts; it doubles from one to the next.
    public var firstPause = Duration.seconds(1)
    /// The longest time between two attempts.
    public var longestPause = Duration.seconds(60)
    /// Seconds for an attempt, however little of its answer comes at a time.
    public var patience = 10
    /// The most notices of a table that wait.
    public var noticeCount = 10_000
    /// The most bytes of a table's notices that wait.
    public var noticeBytes = 16 << 20
    /// The time for what still waits once the server stops.
    public var farewell = Duration.seconds(5)

    /// The documented defaults.
    public init() {}

    /// The pause after that many failed attempts.
    func pause(after attempts: Int) -> Duration {
        min(longestPause, firstPause * (1 << min(attempts - 1, 20)))
    }
}
