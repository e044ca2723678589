import Access
public import HTTPModel
public import TableOperations
public import ZumoProtocol

/// Answers every request below `/api`. No protocol version is required here (v2; .NET servers did require one).
public struct APIRouter: Route {
    let apis: [String: APIDefinition]
    private let operations: TableOperations
    let callers: Callers
    private let generations: Generations

    /// Creates a router; of two APIs with the same name, the first is used.
    /// - Parameter generations: the generations that requests may use.
    public init(
        _ apis: [APIDefinition], operations: TableOperations, callers: Callers, generations: Generations
    ) {
        self.apis = Dictionary(apis.map { ($0.name.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
        self.operations = operations
        self.callers = callers
        self.generations = generations
    }

    /// Its requests are counted separately.
    public var group: RouteGroup { .api }

    /// Answers a request whose path begins with `api`, in any case.
    public func answer(_ request: HTTPRequest, at target: RequestTarget) async -> RouteResponse? {
        guard target.segments.first?.lowercased() == "api" else { return nil }
        let generation = generations.assumed(for: request, target)
        let name = target.segments.count > 1 ? target.segments[1] : ""
        let api = apis[name.lowercased()]
        var requestCaller = RequestCaller(generation)
        var answer: RouteResponse
        do throws(APIError) {
            // An invalid token is reported before anything else, as for tables.
            let caller = try await caller(of: request, generation)
            requestCaller.know(caller)
            answer = RouteResponse(try await response(to: request, target, generation, api, caller), to: requestCaller)
        } catch {
            answer = RouteResponse(ErrorResponse(error, of: name, in: generation), in: generation, to: requestCaller)
        }
        answer.api = api?.name
        if answer.response.reason == nil { answer.response.reason = Self.itsOwnReason }
        return answer
    }

    /// The reason given in the log when nothing else is known about a failure.
    private static let itsOwnReason = "the API itself answered so"

    private func response(
        to request: HTTPRequest, _ target: RequestTarget, _ generation: Generation, _ api: APIDefinition?,
        _ caller: Principal
    ) async throws(APIError) -> HTTPResponse {
        guard let api else { throw .unknownAPI }
        if request.method == .options { return Self.options(api, in: generation) }
        guard let verb = APIVerb(request.method), let handler = api.handler(of: verb) else {
            if api.hidesOtherVerbs { throw .unansweredVerb(request.method) }
            throw .methodNotAllowed(request.method, allowed: api.allowedMethods)
        }
        switch api.level(of: verb).decision(for: caller) {
        case .allowed: break
        case .unauthorized: throw .unauthorized
        case .disabled: throw .verbDisabled(request.method, allowed: api.allowedMethods)
        }
        let currentRequest = CurrentRequest(
            callers.proxies.proved(request), target, in: generation.name,
            from: ClientAddress.of(request, trusting: callers.proxies))
        let call = APIRequest(
            method: request.method, path: Array(target.segments.dropFirst(2)), query: target.query,
            fields: request.fields, body: request.body, caller: caller, generation: generation,
            tables: ServerTables(operations, by: caller, currentRequest), currentRequest: currentRequest)
        do {
            return try await withTaskExecutorPreference(operations.handlerThreads) { try await handler(call) }.http
        } catch {
            throw APIError(thrown: error)
        }
    }

    private func caller(of request: HTTPRequest, _ generation: Generation) async throws(APIError) -> Principal {
        do throws(CallerFault) {
            return try await callers.countedPrincipal(of: request, in: generation)
        } catch {
            throw .caller(error)
        }
    }

    /// The methods as a header field, and since v2 also as the body, as for tables.
    private static func options(_ api: APIDefinition, in generation: Generation) -> HTTPResponse {
        let methods = api.allowedMethods
        var fields = HTTPFields()
        fields.append("Allow", methods)
        if generation.family == .services { return HTTPResponse(.noContent, fields: fields) }
        fields.append("Content-Type", "text/plain; charset=utf-8")
        return HTTPResponse(.ok, fields: fields, body: Array(methods.utf8))
    }
}
