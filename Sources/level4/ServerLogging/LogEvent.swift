/// An event in the log, as passed to a program that builds on the server.
public struct LogEvent: Sendable, Equatable {
    /// The severity.
    public let level: LogLevel
    /// What happened.
    public let message: String
    /// The details, by names such as `status` and `path`. Text from clients is unchanged: it may contain line breaks
    /// and terminal escape sequences.
    public let members: [String: String]

    init(_ level: LogLevel, _ message: String, _ members: [String: String] = [:]) {
        self.level = level
        self.message = message
        self.members = members
    }
}

/// The severity of an event in the log, from lowest to highest.
public enum LogLevel: String, Sendable, CaseIterable, Comparable {
    case trace, debug, info, notice, warning, error, critical

    private var place: Int {
        switch self {
        case .trace: 0
        case .debug: 1
        case .info: 2
        case .notice: 3
        case .warning: 4
        case .error: 5
        case .critical: 6
        }
    }

    /// Whether the first level is less severe.
    public static func < (first: LogLevel, second: LogLevel) -> Bool { first.place < second.place }
}
