public import Access
import ByteText
public import HTTPModel
import JSONText
public import TableOperations
import Tables

/// The APIs whose verbs are functions of scripts.
public struct ScriptedAPIs: Sendable {
    private let host: ScriptHost
    private let errands: ScriptServices

    /// Makes them of what a host has read.
    public init(_ host: ScriptHost, _ errands: ScriptServices) {
        self.host = host
        self.errands = errands
    }

    /// What an API's script answers.
    public struct Answer: Sendable {
        /// The status code.
        public let status: HTTPStatus
        /// The header fields, as the script set them.
        public let fields: [(name: String, value: String)]
        /// The body.
        public let body: [UInt8]
    }

    /// Why there is no answer, for the log.
    public struct Fault: Error, Sendable, CustomStringConvertible {
        /// What went wrong.
        public let description: String
    }

    /// Has a script answer.
    /// - Parameters:
    ///   - path: the segments behind the API's name.
    ///   - tables: with the rows of the caller.
    public func answer(
        _ api: ScriptedAPI, path: [String], body: [UInt8], caller: Principal, tables: ServerTables,
        of request: CurrentRequest?
    ) async throws -> Answer {
        let name = ScriptCallName(script: api.file, request: request?.http.fields["X-Request-Id"])
        let message = [
            JSONMember("kind", "api"), JSONMember("name", .string(api.name)),
            JSONMember("generation", .string(request?.generation ?? "v2")),
            JSONMember("path", .array(path.map { .string($0) })), JSONMember("body", .string(Base64.text(body))),
            JSONMember("user", ScriptCaller.user(caller, request)),
            JSONMember("request", ScriptCaller.request(request)),
        ]
        let errand = { @Sendable (ask: JSONValue) in
            await errands.reply(to: ask, tables, for: api.generation, by: caller)
        }
        if let serving = MiddlewareChain.serving {
            // The chain has the request, and answers by what its own functions say.
            switch await serving.chain.run([JSONMember("kind", "api")], askedBy: serving.number, errand) {
            case .answered: return Answer(status: .noContent, fields: [], body: [])
            case let end: return try Self.answer(end, name)
            }
        }
        let end = await host.call(
            message + ScriptServices.told(of: tables, for: api.generation), named: name,
            by: ScriptCaller.key(caller, request), errand)
        return try Self.answer(end, name)
    }

    static func answer(_ end: ScriptHost.CallEnd, _ name: ScriptCallName) throws -> Answer {
        switch end {
        case .tooLong: throw Fault(description: "\(name.script) took longer than scripts.timeSeconds")
        case .lost(let reason): throw Fault(description: "\(name.script): its worker ended: \(reason)")
        case .busy: throw RowsError.operation(.table(.busy))
        case .answered(let answer):
            let status = answer["status"]?.integerValue.flatMap { HTTPStatus(rawValue: Int(clamping: $0)) }
            switch answer["kind"]?.textValue {
            case "http":
                return Answer(status: status ?? .internalServerError, fields: fields(answer), body: body(answer))
            case "error":
                let status = status ?? .internalServerError
                if let body = answer["body"], body != .null {
                    var json = JSONWriter()
                    json.value(body)
                    return Answer(
                        status: status, fields: [("Content-Type", "application/json; charset=utf-8")], body: json.bytes)
                }
                throw Refusal(status, answer["message"]?.textValue ?? status.reasonPhrase)
            default:
                throw Fault(description: ScriptAnswerFault.words(of: answer, in: name))
            }
        }
    }

    /// The header fields of an answer, as its script has set them.
    static func fields(_ answer: JSONValue) -> [(name: String, value: String)] {
        (answer["headers"]?.elements ?? []).compactMap { pair in
            guard let parts = pair.elements, parts.count == 2, let name = parts[0].textValue,
                let value = parts[1].textValue
            else { return nil }
            return (name, value)
        }
    }

    /// Its bytes.
    static func body(_ answer: JSONValue) -> [UInt8] {
        answer["body"]?.textValue.flatMap { Base64.decode($0.utf8, .standard) } ?? []
    }

    /// Runs a job to its end.
    /// - Throws: why it failed.
    public func run(_ job: ScriptedJob, tables: ServerTables, within time: Duration) async throws(Fault) {
        let name = ScriptCallName(script: job.file, request: nil)
        let message = [
            JSONMember("kind", "job"), JSONMember("name", .string(job.name)),
            JSONMember("user", ScriptCaller.user(.admin(nil), nil)),
        ]
        let end = await host.call(message, named: name, within: time) { ask in
            await errands.reply(to: ask, tables, for: .v1, by: .admin(nil))
        }
        switch end {
        case .tooLong: throw Fault(description: "\(name.script) took longer than \(time)")
        case .lost(let reason): throw Fault(description: "\(name.script): its worker ended: \(reason)")
        case .busy(let reason): throw Fault(description: "\(name.script) could not be run: \(reason)")
        case .answered(let answer):
            guard answer["kind"]?.textValue == "failed" || answer["kind"]?.textValue == "error" else { return }
            throw Fault(description: ScriptAnswerFault.words(of: answer, in: name))
        }
    }
}
