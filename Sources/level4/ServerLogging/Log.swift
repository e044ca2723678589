package import ZumoProtocol

/// The log: a line for each event, as text for people or as JSON for collectors, and a call to a listener.
package struct Log: Sendable {
    private let settings: CurrentLogSettings
    private let listener: LogListener?
    private let write: @Sendable ([UInt8]) -> Void

    /// Creates a log whose settings may change.
    /// - Parameters:
    ///   - listener: receives the same events; nil for none.
    ///   - write: receives a line with its line break, and must not block.
    package init(
        _ settings: CurrentLogSettings, telling listener: LogListener? = nil,
        write: @escaping @Sendable ([UInt8]) -> Void
    ) {
        self.settings = settings
        self.listener = listener
        self.write = write
    }

    /// Whether events of a level are logged.
    package func takes(_ level: LogLevel) -> Bool { settings.takes(level) }

    /// Logs something that operators should know.
    package func notice(_ message: @autoclosure () -> String, members: @autoclosure () -> [String: String] = [:]) {
        log(level: .notice, message(), members: members())
    }

    /// Logs something that operators should look into.
    package func warning(_ message: @autoclosure () -> String, members: @autoclosure () -> [String: String] = [:]) {
        log(level: .warning, message(), members: members())
    }

    /// Logs a failure.
    package func error(_ message: @autoclosure () -> String, members: @autoclosure () -> [String: String] = [:]) {
        log(level: .error, message(), members: members())
    }

    /// Logs an event if its level is logged.
    package func log(
        level: LogLevel, _ message: @autoclosure () -> String, members: @autoclosure () -> [String: String] = [:]
    ) {
        guard takes(level) else { return }
        let members = members().sorted { $0.key < $1.key }
        log(level, message()) { line in
            for (name, value) in members {
                // By the name, not by the text: an id may consist of digits, and collectors want one type per name.
                if Self.numbers.contains(name), let number = Int64(value) {
                    line.add(named: name, number: number)
                } else {
                    line.add(named: name, value)
                }
            }
        }
    }

    /// Logs a failed attempt to prove an identity.
    package func report(_ failure: AccessFailure) {
        var members = ["kind": failure.kind.rawValue, "address": failure.address, "reason": failure.reason]
        if let mark = failure.userMark { members["user"] = mark }
        notice("access refused", members: members)
    }

    private static let numbers: Set<String> = ["bytes", "count", "ms", "refused", "seconds", "status", "us"]

    /// Logs an event of any level, without the detour through a dictionary, which would cost more than the line.
    /// - Parameter add: adds the members, in the order of their names; may be called more than once.
    func log(_ level: LogLevel, _ message: String, adding add: (inout LogLine) -> Void) {
        write(LogLine.bytes(level, message, in: settings.format, adding: add))
        listener?.take(LogEvent(level, message, LogLine.members(adding: add)))
    }
}
