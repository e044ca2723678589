/// How persistently notices are sent, and how many may wait.
public struct DeliveryRules: Sendable {
    /// The maximum number of attempts to send a notice.
    public var attempts = 10
    /// The pause between the first two attempts; it doubles after each further one.
    public var firstPause = Duration.seconds(1)
    /// The longest pause between two attempts.
    public var longestPause = Duration.seconds(60)
    /// The time limit for an attempt in seconds, even while its response is still arriving.
    public var patience = 10
    /// The maximum number of waiting notices per table.
    public var noticeCount = 10_000
    /// The maximum size of a table's waiting notices, in bytes.
    public var noticeBytes = 16 << 20
    /// How long waiting notices may still be sent when the server stops.
    public var farewell = Duration.seconds(5)

    /// Creates the documented defaults.
    public init() {}

    /// Returns the pause after that many failed attempts.
    func pause(after attempts: Int) -> Duration {
        min(longestPause, firstPause * (1 << min(attempts - 1, 20)))
    }
}
