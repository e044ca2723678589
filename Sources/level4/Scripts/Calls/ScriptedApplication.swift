public import Access
import ByteText
public import HTTPModel
import JSONText
import Synchronization
public import TableOperations
import Tables

/// A project's own application, through which requests reach its tables and APIs.
public struct ScriptedApplication: Sendable {
    private let host: ScriptHost
    private let services: ScriptServices

    /// Creates the application that a host has read.
    public init(_ host: ScriptHost, _ services: ScriptServices) {
        self.host = host
        self.services = services
    }

    /// A request that the chain passes on to the server.
    public struct Errand: Sendable {
        /// The rest of the request, as the chain left it.
        public let request: HTTPRequest
        /// The caller, if the chain has identified one in its own way.
        public let caller: Principal?
        /// Whether the chain needs the response's body.
        public let wantsBody: Bool
    }

    /// The response of a chain.
    public enum Answer: Sendable {
        /// A complete response.
        case whole(ScriptedAPIs.Answer)
        /// The server's last response, with another status and other fields.
        case kept(HTTPStatus, fields: [(name: String, value: String)])
        /// No response: the request doesn't belong to the project.
        case none
    }

    /// Answers a request with the application.
    /// - Parameters:
    ///   - request: the request as received.
    ///   - tables: returns the tables limited to a caller's rows.
    ///   - serve: answers what the chain passes on, with its call for `RequestPassage`.
    public func answer(
        _ request: HTTPRequest, caller: Principal, tables: @escaping @Sendable (Principal) -> ServerTables,
        _ currentRequest: CurrentRequest, serve: @escaping @Sendable (Errand, any Sendable) async -> ScriptReply
    ) async throws -> Answer {
        let name = ScriptCallName(script: "app.js", request: currentRequest.http.fields["X-Request-Id"])
        let task = ScriptTask(
            kind: .http(body: request.body), caller: caller, request: currentRequest, tables: tables(caller).names)
        let chain = MiddlewareChain()
        let found = FoundCaller(caller)
        let end = await host.call(
            task, named: name, by: ScriptCaller.key(caller, currentRequest), through: chain
        ) { ask in
            guard case .serve(let left) = ask.kind else {
                let caller = found.caller
                return await services.reply(to: ask, tables(caller), for: .v2, by: caller)
            }
            let errand = Self.errand(left, of: request)
            if let caller = errand.caller { found.caller = caller }
            return await serve(errand, MiddlewareChain.Serving(chain: chain, number: ask.number))
        }
        return try Self.answer(end, name)
    }

    private static func answer(_ end: ScriptHost.CallEnd, _ name: ScriptCallName) throws -> Answer {
        guard case .answered(let answer) = end else { return .whole(try ScriptedAPIs.answer(end, name)) }
        switch answer.kind {
        case .unanswered: return .none
        case .http(let status, body: nil): return .kept(status ?? .internalServerError, fields: answer.fields)
        default: return .whole(try ScriptedAPIs.answer(end, name))
        }
    }

    /// Returns the request that a chain passes on.
    private static func errand(_ left: AskedRequest, of sent: HTTPRequest) -> Errand {
        var request = sent
        request.method = HTTPMethod(left.method)
        request.target = Array(left.url.utf8)
        let gone = left.gone + left.set.map(\.name)
        if !gone.isEmpty {
            let names = Set(gone.map { ExactText($0.lowercased()) })
            var fields = HTTPFields()
            for (name, value) in sent.fields.all where !names.contains(ExactText(name.lowercased())) {
                if let name = HTTPFieldName(name) { fields.append(named: name, value) }
            }
            for member in left.set {
                guard let name = HTTPFieldName(member.name), let value = member.value.textValue else { continue }
                fields.append(named: name, value)
            }
            request.fields = fields
        }
        if let body = left.body { request.body = Array(body.utf8) }
        return Errand(request: request, caller: left.user.map(caller), wantsBody: left.wantsBody)
    }

    /// Returns the caller that a chain names: a user or anonymous, never an admin.
    private static func caller(_ user: JSONValue) -> Principal {
        guard let id = user["id"]?.textValue, !id.isEmpty else { return .anonymous }
        var claims: [String: String] = [:]
        for member in user.members("claims") { claims[member.name] = member.value.textValue }
        return .user(Principal.User(id: id, claims: claims))
    }
}

/// The caller whose tables a chain's scripts use: that of the request, until the chain identifies another.
private final class FoundCaller: Sendable {
    private let state: Mutex<Principal>

    init(_ caller: Principal) { state = Mutex(caller) }

    var caller: Principal {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}
