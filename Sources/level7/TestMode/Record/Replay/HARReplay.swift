import HTTPModel
import JSONText
import ZumoProtocol

/// An HTTP archive (HAR 1.2) that is sent again, request by request, and its answers compared.
///
/// Values that a server generates (ids, versions, stamps, links) are compared by shape. If later requests contain such
/// a value from the archive, they are sent with the one that was answered now.
struct HARReplay: Sendable {
    private struct Step: Sendable {
        let index: Int
        let method: HTTPMethod
        /// As the archive has it, without the base.
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
    /// - Parameter send: has this server answer a request.
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
    ///   - base: the path before the server's own in the archive. Requests elsewhere are left out.
    ///   - host: what the requests have as Host; nil for nothing.
    ///   - peer: the address that they come from.
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
            // A replay that empties the record, or begins another replay, would be of no use.
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

    /// Sends all requests, each when the previous one has been answered, and compares the answers. Ends early if the
    /// task is cancelled.
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
