/// An event in the log, as passed to a program that builds on the server.
public struct LogEvent: Sendable, Equatable {
    /// How much it matters.
    public let level: LogLevel
    /// What happened.
    public let message: String
    /// Its details, by names such as `status` and `path`. What clients sent is here unchanged: it may contain line
    /// breaks and terminal escape sequences.
    public let members: [String: String]

    init(_ level: LogLevel, _ message: String, _ members: [String: String] = [:]) {
        self.level = level
        self.message = message
        self.members = members
    }
}
