public import Access
public import HTTPModel
import JSONText
public import TableOperations
import Tables

/// The APIs whose verbs are functions in scripts.
public struct ScriptedAPIs: Sendable {
    private let host: ScriptHost
    private let services: ScriptServices

    /// Creates the APIs that a host has read.
    public init(_ host: ScriptHost, _ services: ScriptServices) {
        self.host = host
        self.services = services
    }

    /// The response of an API's script.
    public struct Answer: Sendable {
        /// The status code.
        public let status: HTTPStatus
        /// The header fields, as the script set them.
        public let fields: [(name: String, value: String)]
        /// The body.
        public let body: [UInt8]
    }

    /// Why there is no response, for the log.
    public struct Fault: Error, Sendable, CustomStringConvertible {
        /// What went wrong.
        public let description: String
    }

    /// Answers a request with a script.
    /// - Parameters:
    ///   - path: the segments after the API's name.
    ///   - tables: limited to the caller's rows.
    public func answer(
        _ api: ScriptedAPI, path: [String], body: [UInt8], caller: Principal, tables: ServerTables,
        of request: CurrentRequest?
    ) async throws -> Answer {
        let name = ScriptCallName(script: api.file, request: request?.http.fields["X-Request-Id"])
        let task = ScriptTask(
            kind: .api(name: api.name, path: path, body: body), caller: caller, request: request,
            tables: api.generation == .v2 ? tables.names : [])
        let errand = { @Sendable (ask: ScriptAsk) in
            await services.reply(to: ask, tables, for: api.generation, by: caller)
        }
        if let serving = request?.http.passage?.call as? MiddlewareChain.Serving {
            // The chain holds the request, and answers as its own functions say.
            switch await serving.run(task, errand) {
            case .answered: return Answer(status: .noContent, fields: [], body: [])
            case let end: return try Self.answer(end, name)
            }
        }
        let end = await host.call(task, named: name, by: ScriptCaller.key(caller, request), errand)
        return try Self.answer(end, name)
    }

    static func answer(_ end: ScriptHost.CallEnd, _ name: ScriptCallName) throws -> Answer {
        switch end {
        case .tooLong: throw Fault(description: "\(name.script) took longer than scripts.timeSeconds")
        case .lost(let reason): throw Fault(description: "\(name.script): its worker ended: \(reason)")
        case .busy(let reason): throw RowsError.operation(.scripts(detail: reason))
        case .answered(let answer):
            switch answer.kind {
            case .http(let status, let body):
                return Answer(status: status ?? .internalServerError, fields: answer.fields, body: body ?? [])
            case .error(let status, let message, let body, isMissing: _):
                let status = status ?? .internalServerError
                if let body {
                    let fields = [(name: "Content-Type", value: "application/json; charset=utf-8")]
                    return Answer(status: status, fields: fields, body: body.jsonBytes)
                }
                throw Refusal(status, message ?? status.reasonPhrase)
            default:
                throw Fault(description: ScriptAnswerFault.words(of: answer, in: name))
            }
        }
    }

    /// Runs a job to completion.
    /// - Throws: the reason why it failed.
    public func run(_ job: ScriptedJob, tables: ServerTables, within time: Duration) async throws(Fault) {
        let name = ScriptCallName(script: job.file, request: nil)
        let task = ScriptTask(kind: .job(name: job.name), caller: .admin(nil), request: nil)
        let end = await host.call(task, named: name, within: time) { ask in
            await services.reply(to: ask, tables, for: .v1, by: .admin(nil))
        }
        switch end {
        case .tooLong: throw Fault(description: "\(name.script) took longer than \(time)")
        case .lost(let reason): throw Fault(description: "\(name.script): its worker ended: \(reason)")
        case .busy(let reason): throw Fault(description: "\(name.script) could not be run: \(reason)")
        case .answered(let answer):
            switch answer.kind {
            case .failed, .error: throw Fault(description: ScriptAnswerFault.words(of: answer, in: name))
            default: return
            }
        }
    }
}
