public import ServerConfiguration

/// An event in the log, as a program that builds on the server hears of it.
public struct LogEvent: Sendable, Equatable {
    /// How much it matters.
    public let level: LogLevel
    /// What happened.
    public let message: String
    /// What it happened with, by names such as `status` and `path`. What clients sent stands here as it came: it may hold
    /// line ends and orders to a terminal.
    public let members: [String: String]

    init(_ level: LogLevel, _ message: String, _ members: [String: String] = [:]) {
        self.level = level
        self.message = message
        self.members = members
    }
}
