import HTTPModel
import JSONText
import ZumoProtocol

/// Sends the requests of an HTTP archive (HAR 1.2) again, one by one, and compares the answers.
///
/// Values that a server generates (ids, versions, stamps, links) are compared by shape. Where later requests contain
/// such a value from the archive, the newly generated one is sent instead.
struct HARReplay: Sendable {
    private struct Step: Sendable {
        let index: Int
        let method: HTTPMethod
        /// As in the archive, without the base path.
        let target: String
        let table: String?
        let entry: HAREntry
        let body: [UInt8]
    }

    private let steps: [Step]
    private let leftOut: Int
    private let host: String?
    private let peer: String

    /// Answers `POST /_test/replay`.
    /// - Parameter send: lets this server answer a request.
    static func answer(
        _ request: HTTPRequest, at target: RequestTarget, through send: (HTTPRequest) async -> HTTPResponse
    ) async -> HTTPResponse {
        let replay: HARReplay
        do throws(RecordFault) {
            guard request.method == .post else { throw .method(allow: "POST") }
            var base: String?
            for member in target.query {
                guard member.name == "base" else {
                    throw .query("There is no parameter '\(ErrorBody.excerpt(member.name))'.")
                }
                base = member.value
            }
            replay = try HARReplay(request.body, base: base, host: request.fields["Host"], peer: request.peer)
        } catch {
            return error.response
        }
        return await replay.run(through: send).response
    }

    /// Reads an archive.
    /// - Parameters:
    ///   - base: the path in front of the server's own in the archive. Requests elsewhere are left out.
    ///   - host: the Host field of the requests; nil for none.
    ///   - peer: the address that the requests appear to come from.
    init(
        _ archive: [UInt8], base: String? = nil, host: String? = nil, peer: String = ""
    ) throws(RecordFault) {
        var base = base ?? ""
        while base.hasSuffix("/") { base.removeLast() }
        guard base.isEmpty || base.hasPrefix("/") else { throw .query("'base' has to begin with a slash.") }
        var steps: [Step] = []
        let entries = try HARDocument(archive).entries
        for (index, entry) in entries.enumerated() {
            guard let body = entry.body, let target = entry.target, target.hasPrefix(base) else { continue }
            var rest = String(target.dropFirst(base.count))
            if !rest.hasPrefix("/") {
                guard rest.isEmpty || rest.hasPrefix("?") else { continue }
                rest = "/" + rest
            }
            let segments = (try? RequestTarget(Array(rest.utf8)))?.segments ?? []
            // Replaying a reset of the record, or another replay, would be useless.
            if segments.first == "_test" { continue }
            let isTable = segments.count >= 2 && segments[0].lowercased() == "tables"
            steps.append(
                Step(
                    index: index, method: entry.method, target: rest, table: isTable ? segments[1].lowercased() : nil,
                    entry: entry, body: body))
        }
        self.steps = steps
        self.host = host
        self.peer = peer
        leftOut = entries.count - steps.count
    }

    /// Sends all requests, each after the previous one was answered, and compares the answers. Stops early if the task
    /// is cancelled.
    func run(through send: (HTTPRequest) async -> HTTPResponse) async -> ReplayReport {
        var translation = ReplayTranslation()
        var report = ReplayReport(leftOut: leftOut)
        for step in steps {
            if Task.isCancelled { break }
            let json = try? JSONReader.parse(step.body)
            translation.notice(step.target, json: json)
            let request = request(step, json, translation)
            let answer = await send(request)
            report.replayed += 1
            guard let was = step.entry.answer else {
                report.unanswered += 1
                continue
            }
            let differences = ResponseComparison.differences(
                was: was, is: answer,
                to: ResponseComparison.Asked(
                    targets: (step.target, String(decoding: request.target, as: UTF8.self)), table: step.table),
                teaching: &translation)
            if differences.isEmpty {
                report.same += 1
            } else {
                report.add(
                    ReplayReport.Difference(
                        entry: step.index, request: "\(step.method.name) \(step.target)", differences: differences))
            }
        }
        return report
    }

    private func request(_ step: Step, _ json: JSONValue?, _ translation: ReplayTranslation) -> HTTPRequest {
        var fields = HTTPFields()
        if let host { fields.append("Host", host) }
        for field in step.entry.fields {
            fields.append(named: field.name, translation.replaced(inField: field.name.text, field.value))
        }
        var body = step.body
        if let json {
            let replaced = translation.replaced(in: json, table: step.table)
            if replaced != json { body = replaced.jsonBytes }
        }
        let target = translation.replaced(in: step.target, table: step.table)
        return HTTPRequest(method: step.method, target: Array(target.utf8), fields: fields, body: body, peer: peer)
    }
}
