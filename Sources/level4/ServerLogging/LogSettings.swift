/// What is logged, and how.
public struct LogSettings: Sendable, Equatable {
    /// The format of lines: for people, or for a log collector.
    public enum Format: String, Sendable, CaseIterable {
        case text, json
    }

    /// How users appear in the log.
    public enum Users: String, Sendable, CaseIterable {
        case plain, hashed
    }

    /// The lowest level that is logged.
    public var level = LogLevel.info
    /// The format of lines.
    public var format = Format.text
    /// How users appear in the log.
    public var users = Users.plain
    /// The duration in milliseconds from which a database statement is logged as slow; 0 for none.
    public var slowMilliseconds = 1_000

    /// Creates the built-in defaults.
    public init() {}
}
