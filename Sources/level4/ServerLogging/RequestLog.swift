package import HTTPModel
import Synchronization
import Tables
package import ZumoProtocol

/// Writes one line for each request: who sent it, how and why it was answered, and how long it took. Requests refused
/// because of a database outage share one line a second.
package final class RequestLog: RequestObserver {
    private let lines: Log
    private let outages: OutageLog
    private let users: LoggedUsers
    private let proxies: TrustedProxies
    private let readiness: Readiness

    /// Whether the server was ready at the last check.
    private final class Readiness: Sendable {
        let isThere = Atomic(true)
    }

    package init(_ logger: Log) {
        lines = logger
        outages = OutageLog(logger)
        users = .plain
        proxies = .loopback
        readiness = Readiness()
    }

    private init(_ log: RequestLog, _ users: LoggedUsers, _ proxies: TrustedProxies) {
        lines = log.lines
        outages = log.outages
        readiness = log.readiness
        self.users = users
        self.proxies = proxies
    }

    /// Returns the same log with other settings for users and trusted proxies.
    package func naming(_ users: LoggedUsers, behind proxies: TrustedProxies) -> RequestLog {
        RequestLog(self, users, proxies)
    }

    /// Logs a request before it is carried out, to find out what a request does to the server.
    package func begin(id: String, _ request: HTTPRequest) {
        guard lines.takes(.debug) else { return }
        lines.log(.debug, "request begins") { line in
            line.add("address", ClientAddress.of(request, trusting: proxies))
            line.add("fields", LoggedHead.fields(of: request))
            line.add("id", id)
            line.add("line", LoggedHead.line(of: request))
        }
    }

    package func end(_ event: RequestEvent) {
        if event.answer.isOutage { return outages.refuse(because: event.answer.detail ?? "") }
        let status = event.answer.response.status.rawValue
        if event.group == .tables, status < 300 { outages.serve() }
        // The line of a large answer says how much of it was sent.
        if !event.isLarge { write(event, cut: nil) }
    }

    package func didDeliver(_ event: RequestEvent, _ end: ResponseDelivery.End) {
        switch end {
        case .sent: write(event, cut: nil)
        case .cut(let bytes, let reason): write(event, cut: (bytes, reason))
        }
    }

    /// - Parameter cut: how much of the answer was sent, and why not all of it; nil if it was complete.
    private func write(_ event: RequestEvent, cut: (bytes: Int, reason: ResponseDelivery.Reason)?) {
        let status = event.answer.response.status.rawValue
        let level = level(of: event)
        guard lines.takes(level) else { return }
        let caller = event.answer.caller
        lines.log(level, cut == nil ? "request" : "request cut off") { line in
            line.add("address", ClientAddress.of(event.request, trusting: proxies))
            if let api = event.answer.api { line.add("api", api) }
            let hasBody = event.request.method != .head && status != 204 && status != 304
            let length = hasBody ? event.length : 0
            if let bytes = cut?.bytes ?? length { line.add("bytes", number: Int64(bytes)) }
            if let cut { line.add("cut", cut.reason.rawValue) }
            if status >= 400 || event.answer.detail != nil,
                let detail = event.answer.detail ?? event.answer.response.reason
            {
                line.add("detail", detail)
            }
            if let caller { line.add("generation", word: caller.generation.rawValue) }
            line.add("id", event.id)
            line.add("method", event.request.method.name.shortened(to: 32))
            if cut != nil, let length { line.add("of", number: Int64(length)) }
            if let operation = event.answer.operation { line.add("operation", word: operation.rawValue) }
            if !event.request.target.isEmpty { Self.addPath(of: event.request, to: &line) }
            if caller?.isAdmin == true { line.add("role", "admin") }
            // The status says how a request was answered, and this one hardly was.
            if cut == nil { line.add("status", number: Int64(status)) }
            // A client may request a table of any name, which may be too long for a line.
            if let table = event.answer.table { line.add("table", table.shortened(to: 128)) }
            if let trace = TraceParent.current { line.add("trace", String(trace.traceID)) }
            line.add("us", number: event.nanoseconds / 1_000)
            if let user = caller?.user { line.add("user", users.name(of: user)) }
        }
    }

    package func didBreakOff(id: String, _ request: HTTPRequest, because error: any Error) {
        guard lines.takes(.error) else { return }
        lines.log(.error, "answer broke off") { line in
            line.add("detail", "\(error)")
            line.add("id", id)
            line.add("method", request.method.name.shortened(to: 32))
            line.add("path", request.basePath + LoggedHead.path(of: request.target))
        }
    }

    /// Adds the path, without creating a string in the usual case.
    private static func addPath(of request: HTTPRequest, to line: inout LogLine) {
        if request.basePath.isEmpty, let end = LoggedHead.endOfShortPath(of: request.target),
            line.add("path", ifPlain: request.target.span.extracting(0..<end))
        {
            return
        }
        line.add("path", request.basePath + LoggedHead.path(of: request.target))
    }

    private func level(of event: RequestEvent) -> LogLevel {
        let answer = event.answer
        let status = answer.response.status.rawValue
        guard event.isProbe, status < 400 || status >= 500 else { return status >= 500 ? .error : .info }
        guard answer.isReadiness else { return status >= 500 ? .error : .debug }
        // Probes come often and get an answer every time; the log gets a line only for a change.
        let isReady = status < 400
        guard readiness.isThere.exchange(isReady, ordering: .relaxed) != isReady else { return .debug }
        return isReady ? .notice : .error
    }
}
