public import Access
import ByteText
public import HTTPModel
import JSONText
import Synchronization
public import TableOperations
import Tables

/// A project's own application, through which requests come to its tables and APIs.
public struct ScriptedApplication: Sendable {
    private let host: ScriptHost
    private let errands: ScriptServices

    /// Makes it of what a host has read.
    public init(_ host: ScriptHost, _ errands: ScriptServices) {
        self.host = host
        self.errands = errands
    }

    /// What the chain has come to, and wants to be answered by the server.
    public struct Errand: Sendable {
        /// What is left of the request, and what was made of it.
        public let request: HTTPRequest
        /// Who asks, where the chain has found that out in its own way.
        public let caller: Principal?
        /// Whether the chain wants to see the answer's body.
        public let wantsBody: Bool
    }

    /// What the server answers such a thing.
    public struct Reply: Sendable {
        let status: HTTPStatus
        let fields: HTTPFields
        let body: [UInt8]?

        /// - Parameter body: nil where the chain needs not see it.
        public init(_ status: HTTPStatus, _ fields: HTTPFields, body: [UInt8]?) {
            self.status = status
            self.fields = fields
            self.body = body
        }
    }

    /// What a chain answers.
    public enum Answer: Sendable {
        /// All of it.
        case whole(ScriptedAPIs.Answer)
        /// As the server has answered what was asked last, under this head.
        case kept(HTTPStatus, fields: [(name: String, value: String)])
        /// Nothing: the request is none of the project's.
        case none
    }

    /// Has the application answer.
    /// - Parameters:
    ///   - request: as it came.
    ///   - tables: with the rows of a caller.
    ///   - serve: answers what the chain comes to.
    public func answer(
        _ request: HTTPRequest, caller: Principal, tables: @escaping @Sendable (Principal) -> ServerTables,
        _ inHand: CurrentRequest?,
        serve: @escaping @Sendable (Errand) async -> Reply
    ) async throws -> Answer {
        let name = ScriptCallName(script: "app.js", request: inHand?.http.fields["X-Request-Id"])
        let isOperators = if case .admin = caller { true } else { false }
        let isReading = request.method == .get || request.method == .head
        let message = [
            JSONMember("kind", "http"), JSONMember("operation", isReading ? "read" : "write"),
            JSONMember("generation", .string(inHand?.generation ?? "v2")),
            JSONMember("fields", Self.fields(inHand?.http.fields ?? request.fields, isOperators)),
            JSONMember("body", .string(Base64.text(request.body))),
            JSONMember("user", ScriptCaller.user(caller, inHand)),
            JSONMember("request", ScriptCaller.line(inHand)),
        ]
        let chain = MiddlewareChain()
        let found = FoundCaller(caller)
        let end = await host.call(
            message + ScriptServices.told(of: tables(caller), for: .v2), named: name,
            by: ScriptCaller.key(caller, inHand), through: chain
        ) { ask in
            guard ask["do"]?.textValue == "serve" else {
                let caller = found.caller
                return await errands.reply(to: ask, tables(caller), for: .v2, by: caller)
            }
            guard let errand = Self.errand(ask, of: request) else {
                return ScriptValues.failure("bad", 400, "the request that is left can't be read")
            }
            if let caller = errand.caller { found.caller = caller }
            let serving = MiddlewareChain.Serving(chain: chain, number: ask["k"]?.integerValue ?? 0)
            let reply = await MiddlewareChain.$serving.withValue(serving) { await serve(errand) }
            return Self.json(reply)
        }
        return try Self.answer(end, name)
    }

    private static func answer(_ end: ScriptHost.CallEnd, _ name: ScriptCallName) throws -> Answer {
        guard case .answered(let answer) = end else { return .whole(try ScriptedAPIs.answer(end, name)) }
        switch answer["kind"]?.textValue {
        case "unanswered": return .none
        case "http" where answer["body"] == .null:
            let status = answer["status"]?.integerValue.flatMap { HTTPStatus(rawValue: Int(clamping: $0)) }
            return .kept(status ?? .internalServerError, fields: ScriptedAPIs.fields(answer))
        default: return .whole(try ScriptedAPIs.answer(end, name))
        }
    }

    /// The fields of a request as they came, without the keys of the server's operators.
    private static func fields(_ fields: HTTPFields, _ isOperators: Bool) -> JSONValue {
        var pairs: [JSONValue] = []
        for (name, value) in fields.all {
            let folded = name.lowercased()
            if folded == "x-zumo-master" || isOperators && folded == "authorization" { continue }
            let value = folded == "cookie" ? ScriptCaller.cookies(value) : value
            if !value.isEmpty { pairs.append([.string(name), .string(value)]) }
        }
        return .array(pairs)
    }

    /// The request that a chain has left.
    private static func errand(_ ask: JSONValue, of sent: HTTPRequest) -> Errand? {
        guard let method = ask["method"]?.textValue.map({ HTTPMethod($0) }), let url = ask["url"]?.textValue
        else { return nil }
        var request = sent
        request.method = method
        request.target = Array(url.utf8)
        var changed: [JSONMember] = []
        if case .object(let members)? = ask["set"] { changed = members }
        let gone = (ask["gone"]?.elements ?? []).compactMap(\.textValue) + changed.map(\.name)
        if !gone.isEmpty {
            let names = Set(gone.map { ExactText($0.lowercased()) })
            var fields = HTTPFields()
            for (name, value) in sent.fields.all where !names.contains(ExactText(name.lowercased())) {
                if let name = HTTPFieldName(name) { fields.append(named: name, value) }
            }
            for member in changed {
                guard let name = HTTPFieldName(member.name), let value = member.value.textValue else { continue }
                fields.append(named: name, value)
            }
            request.fields = fields
        }
        if let body = ask["body"]?.textValue { request.body = Array(body.utf8) }
        return Errand(
            request: request, caller: ask["user"].map(caller), wantsBody: ask["wantsBody"]?.booleanValue ?? true)
    }

    /// Who asks by the word of a chain: a user, or nobody. It makes nobody an admin.
    private static func caller(_ user: JSONValue) -> Principal {
        guard let id = user["id"]?.textValue, !id.isEmpty else { return .anonymous }
        var claims: [String: String] = [:]
        if case .object(let members)? = user["claims"] {
            for member in members { claims[member.name] = member.value.textValue }
        }
        return .user(Principal.User(id: id, claims: claims))
    }

    private static func json(_ reply: Reply) -> JSONValue {
        var pairs: [JSONValue] = []
        for (name, value) in reply.fields.all { pairs.append([.string(name), .string(value)]) }
        var members = [
            JSONMember("ok", true), JSONMember("status", .integer(Int64(reply.status.rawValue))),
            JSONMember("headers", .array(pairs)),
        ]
        if let body = reply.body { members.append(JSONMember("body", .string(Base64.text(body)))) }
        return .object(members)
    }
}

/// In whose name a chain's scripts use tables: that of whoever the request shows, until the chain has found out another.
private final class FoundCaller: Sendable {
    private let state: Mutex<Principal>

    init(_ caller: Principal) { state = Mutex(caller) }

    var caller: Principal {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}

extension Base64 {
    /// Bytes as text.
    static func text(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        appendStandard(bytes, to: &text)
        return String(decoding: text, as: UTF8.self)
    }
}
