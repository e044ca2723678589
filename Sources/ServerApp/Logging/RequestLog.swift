import HTTPModel
import Logging
import Tables

/// Writes one line for each request: what was asked, what came of it, and how long it took. Requests that an outage of the
/// database refuses have one line a second among them.
struct RequestLog: Sendable {
    private let logger: Logger
    private let outages: OutageLog

    init(_ logger: Logger) {
        self.logger = logger
        outages = OutageLog(logger)
    }

    func write(id: String, method: String, _ answer: RootHandler.Answer, took: Duration) {
        if answer.isOutage { return outages.refuse(because: answer.detail ?? "") }
        if answer.route == .tables, answer.response.status.rawValue < 300 { outages.serve() }
        let status = answer.response.status.rawValue
        let level: Logger.Level = status >= 500 ? .error : .info
        guard logger.logLevel <= level else { return }
        var members: Logger.Metadata = [
            "id": .string(id), "method": .string(method), "status": .string(String(status)),
            "us": .string(String(Self.microseconds(took))),
        ]
        if let table = answer.table { members["table"] = .string(Self.excerpt(table)) }
        if let api = answer.api { members["api"] = .string(api) }
        if let operation = answer.operation { members["operation"] = .string(operation.rawValue) }
        if let detail = answer.detail { members["detail"] = .string(detail) }
        if let peer = answer.peer { members["address"] = .string(peer) }
        logger.log(level: level, "request", metadata: members)
    }

    private static func microseconds(_ duration: Duration) -> Int64 {
        let (seconds, attoseconds) = duration.components
        return seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    }

    /// A client may ask for a table of any name; a line of the log is no place for all of it.
    private static func excerpt(_ name: String) -> String {
        name.utf8.count <= 128 ? name : String(decoding: name.utf8.prefix(128), as: UTF8.self)
    }
}
