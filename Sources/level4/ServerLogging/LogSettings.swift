/// What is logged, and how.
public struct LogSettings: Sendable, Equatable {
    /// For people, or for a log collector.
    public enum Format: String, Sendable, CaseIterable {
        case text, json
    }

    /// How users are named.
    public enum Users: String, Sendable, CaseIterable {
        case plain, hashed
    }

    /// Events below this level are left out.
    public var level = LogLevel.info
    /// The form of a line.
    public var format = Format.text
    /// How users are named.
    public var users = Users.plain
    /// From how long on a database statement is logged as slow; 0 for none.
    public var slowMilliseconds = 1_000

    /// The built-in defaults.
    public init() {}
}
