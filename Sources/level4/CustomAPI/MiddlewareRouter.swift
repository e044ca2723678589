public import Access
import ByteText
public import HTTPModel
import Synchronization
public import TableOperations
public import ZumoProtocol

/// Passes requests through a program's own application before the server answers them: its middleware may refuse,
/// change or answer them.
public struct MiddlewareRouter: Route {
    /// A request on its way through the application.
    public struct Passage: Sendable {
        /// The request.
        public let request: HTTPRequest
        /// The caller, if the token is valid. The route that answers checks it again.
        public let caller: Principal
        /// Returns the tables, limited to the rows of a caller.
        public let tables: @Sendable (Principal) -> ServerTables
        /// The request as scripts see it.
        public let currentRequest: CurrentRequest
        /// Lets the server answer what is left of it, within a call of the application, for a caller whom that itself
        /// has identified, if any.
        public let serve: @Sendable (HTTPRequest, Principal?, any Sendable) async -> HTTPResponse
    }

    /// How the application dealt with a request.
    public enum End: Sendable {
        /// The application answered.
        case answered(HTTPResponse)
        /// The server answered; the application set the status and the fields.
        case kept(HTTPStatus, HTTPFields)
        /// The application left the request to the server.
        case left
    }

    /// A program's own application.
    public struct Application: Sendable {
        let tables: Set<ExactText>
        let apis: Set<ExactText>
        let handler: @Sendable (Passage) async throws -> End

        /// - Parameters:
        ///   - tables: the tables that are answered only through it, however a path spells their names.
        ///   - apis: the APIs that are answered only through it, likewise.
        ///   - handler: passes a request through it.
        public init(
            tables: [String], apis: [String], _ handler: @escaping @Sendable (Passage) async throws -> End
        ) {
            self.tables = Set(tables.map { ExactText($0.lowercased()) })
            self.apis = Set(apis.map { ExactText($0.lowercased()) })
            self.handler = handler
        }

        /// Whether only the application may answer: what guards its tables may know them only by their usual paths.
        func alone(answers target: RequestTarget) -> Bool {
            guard target.segments.count > 1 else { return false }
            let name = ExactText(target.segments[1].lowercased())
            return switch target.segments[0].lowercased() {
            case "tables": tables.contains(name)
            case "api": apis.contains(name)
            default: false
            }
        }
    }

    /// Returns the request with its complete query; nil if its query is complete already.
    public typealias Unfolding =
        @Sendable (HTTPRequest, RequestTarget, Principal) async -> (request: HTTPRequest, target: RequestTarget)?

    /// The group in which its requests are counted.
    public let group: RouteGroup
    private let application: Application
    private let inner: [any Route]
    private let unfold: Unfolding
    private let operations: TableOperations
    private let callers: Callers
    private let generations: Generations

    /// Creates a router.
    /// - Parameters:
    ///   - group: what its requests are counted as: it takes those below the path of that name, or for `other`
    ///     everything that isn't part of the server.
    ///   - inner: the server's own routes.
    ///   - unfold: restores the query that a folded link stands for.
    public init(
        _ group: RouteGroup, through application: Application, to inner: [any Route], operations: TableOperations,
        callers: Callers, generations: Generations, unfold: @escaping Unfolding
    ) {
        self.group = group
        self.application = application
        self.inner = inner
        self.unfold = unfold
        self.operations = operations
        self.callers = callers
        self.generations = generations
    }

    /// Paths that never reach an application: the old platform answered them first, or they are for operators.
    private static let own = [".auth", "_", "metrics", "openapi.json", "healthz", "readyz"]

    private func takes(_ target: RequestTarget) -> Bool {
        let first = target.segments.first?.lowercased() ?? ""
        return switch group {
        case .tables: first == "tables"
        case .api: first == "api"
        default: first != "tables" && first != "api" && !Self.own.contains(first)
        }
    }

    /// Answers a request that the application takes.
    public func answer(_ sent: HTTPRequest, at asked: RequestTarget) async -> RouteResponse? {
        guard takes(asked) else { return nil }
        let generation = generations.assumed(for: sent, asked)
        let (caller, hasShownKeys) = await known(sent, generation)
        // Middleware that guards lists reads their queries.
        let unfolded = group == .tables ? await unfold(sent, asked, caller) : nil
        let (request, target) = unfolded ?? (sent, asked)
        let kept = KeptAnswer()
        let passage = Passage(
            request: request, caller: caller,
            tables: { [operations] caller in ServerTables(operations, by: caller).withoutHooks },
            currentRequest: CurrentRequest(
                callers.proxies.proved(request), target, in: generation.name,
                from: ClientAddress.of(request, trusting: callers.proxies))
        ) { [inner] left, caller, call in
            guard let target = try? RequestTarget(left.target) else {
                return HTTPResponse(.badRequest)
            }
            var left = left
            left.passage = ApplicationPassage(
                call: call, caller: caller, checked: hasShownKeys ? request.fields : nil)
            for route in inner {
                guard let answer = await route.answer(left, at: target) else { continue }
                kept.keep(answer)
                return answer.response
            }
            return HTTPResponse(.notFound)
        }
        var requestCaller = RequestCaller(generation)
        requestCaller.know(caller)
        do {
            let end = try await withTaskExecutorPreference(operations.handlerThreads) {
                try await application.handler(passage)
            }
            switch end {
            case .left:
                guard application.alone(answers: target) else { return nil }
                return RouteResponse(ErrorBody.unknownPath(in: generation), to: requestCaller)
            case .answered(var response):
                response.confineDocument()
                var answer = kept.answer ?? RouteResponse(response, to: requestCaller)
                answer.response = response
                if let unfolded { answer.unfolded = unfolded.target }
                if response.status.rawValue >= 400, answer.response.reason == nil {
                    answer.response.reason = "the application itself answered so"
                }
                return answer
            case .kept(let status, let fields):
                guard var answer = kept.answer else { throw Lost() }
                answer.response.status = status
                answer.response.fields = fields
                if let unfolded { answer.unfolded = unfolded.target }
                return answer
            }
        } catch {
            return RouteResponse(ErrorResponse(APIError(thrown: error), of: ""), in: generation, to: requestCaller)
        }
    }

    private struct Lost: Error {}

    /// The last response that the server itself gave to a request, with what the log says about it.
    private final class KeptAnswer: Sendable {
        private let kept = Mutex<RouteResponse?>(nil)

        var answer: RouteResponse? { kept.withLock { $0 } }

        func keep(_ answer: RouteResponse) { kept.withLock { $0 = answer } }
    }

    /// The caller, and whether keys were checked. A bad token makes it anonymous: the answering route reports that.
    private func known(
        _ request: HTTPRequest, _ generation: Generation
    ) async -> (caller: Principal, hasShownKeys: Bool) {
        do throws(CallerFault) {
            try await callers.waitToShowKeys(of: request, in: generation)
            let principal = try callers.shownPrincipal(of: request, in: generation)
            if let user = principal.user { try await callers.checkSession(of: user) }
            return (principal, true)
        } catch {
            if case .tooManyKeys = error { return (.anonymous, false) }
            return (.anonymous, true)
        }
    }

    /// Adds nothing: other routes describe what it answers.
    public func describe(in document: inout OpenAPIDocument) {}
}
