/// A line that a script writes for the log.
public struct ScriptLogLine: Sendable {
    /// How much it matters.
    public enum Level: String, Sendable {
        case info, notice, warning, error
    }

    /// How much it matters.
    public let level: Level
    /// What it says.
    public let text: String
    /// The call that it belongs to; nil for a line that belongs to none.
    public let call: ScriptCallName?
}

/// What the log calls a call of a script.
public struct ScriptCallName: Sendable {
    /// The script's file, from the project's folder, and what it was to do.
    public let script: String
    /// The id of the request; nil for a job.
    public let request: String?
}

/// How many lines a second of what a process prints are kept.
struct LineRateLimit {
    private static let most = 200
    private var since: ContinuousClock.Instant
    private var count = 0

    init(at now: ContinuousClock.Instant) { since = now }

    mutating func allowsOneMore(at now: ContinuousClock.Instant) -> Bool {
        if now - since > .seconds(1) { (since, count) = (now, 0) }
        count += 1
        return count <= Self.most
    }
}
