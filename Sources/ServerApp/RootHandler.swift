import AdminAPI
import AuthAPI
import CustomAPI
import HTTPModel
import JSONText
import Logging
import TableAPI
import Tables
import ZumoProtocol

/// Gives each request its id, finds who answers it, and logs what came of it.
struct RootHandler: HTTPHandler {
    private let tables: TableRouter
    private let apis: APIRouter
    private let push: PushRouter
    private let admin: AdminRouter
    private let auth: AuthRouter?
    private let status: ServicesStatus
    private let metricsPage: MetricsPage
    private let metrics: ServerMetrics
    private let crossOrigin: CrossOriginPolicy
    private let addressLimit: RateLimit?
    private let proxies: TrustedProxies
    private let openAPI: OpenAPIRouter
    private let generation: Generation
    private let log: RequestLog
    private let ids: RequestIDs

    /// - Parameters:
    ///   - apis: what is below `/api`.
    ///   - auth: answers logins; nil where none is possible.
    ///   - registry: what clients have registered for push messages.
    ///   - crossOrigin: which web pages may call the server.
    ///   - addressLimit: how often one address may ask; nil for as often as it likes.
    ///   - metrics: what is told at `/metrics`.
    ///   - ids: gives requests theirs.
    init(
        store: any TableStore, settings: TableSettings, apis: [APIDefinition] = [],
        auth: AuthRouter? = nil, registry: PushRegistry = PushRegistry(),
        crossOrigin: CrossOriginPolicy = CrossOriginPolicy([], maxAge: 0), addressLimit: RateLimit? = nil,
        metrics: ServerMetrics = ServerMetrics(), ids: RequestIDs = RequestIDs(), log: RequestLog
    ) {
        self.ids = ids
        self.log = log
        tables = TableRouter(store: store, settings: settings)
        self.apis = APIRouter(
            apis, operations: tables.operations, callers: settings.callers, generation: settings.generation)
        push = PushRouter(
            registry, callers: settings.callers, generation: settings.generation, publicURL: settings.publicURL,
            proxies: settings.proxies)
        admin = AdminRouter(store: store, product: Release.name)
        self.auth = auth
        self.crossOrigin = crossOrigin
        self.addressLimit = addressLimit
        proxies = settings.proxies
        status = ServicesStatus(store: store, callers: settings.callers, product: Release.name)
        metricsPage = MetricsPage(callers: settings.callers) { await metrics.page() }
        self.metrics = metrics
        let isLimited = addressLimit != nil || settings.callers.userLimit != nil
        openAPI = OpenAPIRouter(
            callers: settings.callers, generation: settings.generation, publicURL: settings.publicURL,
            proxies: settings.proxies, product: (name: "zumod", version: Release.version)
        ) { [tables, apis = self.apis, push, admin, status, auth] document in
            tables.describe(in: &document)
            apis.describe(in: &document)
            push.describe(in: &document)
            auth?.describe(in: &document)
            admin.describe(in: &document)
            status.describe(in: &document)
            MetricsPage.describe(in: &document)
            OpenAPIRouter.describe(in: &document)
            if isLimited { Self.describeLimit(in: &document) }
        }
        generation = settings.generation
    }

    /// Adds the answer that every route has where callers are limited.
    private static func describeLimit(in document: inout OpenAPIDocument) {
        let answer = DescribedAnswer(
            .tooManyRequests, "Too many requests.", DescribedContent(ErrorBody.anySchema), fields: [.retryAfter])
        for index in document.routes.indices { document.routes[index].answers.append(answer) }
    }

    func respond(to request: HTTPRequest) async -> HTTPResponse {
        let start = ContinuousClock.now
        let id = ids.id(of: request)
        guard let field = request.fields["traceparent"], let trace = TraceParent(field) else {
            return await respond(to: request, id: id, since: start)
        }
        return await TraceParent.$current.withValue(trace) { await respond(to: request, id: id, since: start) }
    }

    private func respond(
        to request: HTTPRequest, id: String, since start: ContinuousClock.Instant
    ) async -> HTTPResponse {
        log.begin(id: id, request)
        var answer = await route(request)
        crossOrigin.sign(&answer.response, to: request.fields, isOptions: request.method == .options)
        Self.sign(&answer.response, id: id)
        let time = start.duration(to: .now)
        metrics.requests.record(answer.route, request.method, answer.response.status, took: time)
        log.write(id: id, request, answer, took: time)
        return answer.response
    }

    func response(to fault: HTTPFault, after request: HTTPRequest) -> HTTPResponse {
        let id = ids.next()
        var answer = Answer(FaultResponse.make(fault, in: generation))
        crossOrigin.sign(&answer.response, to: request.fields, isOptions: false)
        Self.sign(&answer.response, id: id)
        metrics.requests.recordUnread(answer.response.status)
        log.write(id: id, request, answer, took: .zero)
        return answer.response
    }

    /// What came of a request, and what the log says about it.
    struct Answer {
        var response: HTTPResponse
        var route: RouteGroup
        var table: String?
        var api: String?
        var operation: Operation?
        /// Why the request failed, where the log is told more than the client.
        var detail: String?
        /// Who asked; nil where nothing depends on it.
        var sender: Sender?
        /// Whether it is a question of those who look after the server: they ask often.
        var isProbe = false
        /// Whether it is asked whether the server can serve.
        var isReadiness = false
        /// Whether the database was away or locked.
        var isOutage = false

        init(_ response: HTTPResponse, from route: RouteGroup = .other) {
            self.response = response
            self.route = route
        }
    }

    private func route(_ request: HTTPRequest) async -> Answer {
        let target: RequestTarget
        do throws(RequestTarget.Fault) {
            target = try RequestTarget(request.target)
        } catch {
            return Answer(FaultResponse.make(error, in: generation(of: request, .root)))
        }
        if request.method == .options,
            let preflight = crossOrigin.preflight(request, in: generation(of: request, target))
        {
            // Not counted against a limit: nothing is done for it, and a page could not read a refusal.
            return Answer(preflight)
        }
        if let refusal = refusalByAddress(request, target) { return refusal }
        switch target.segments.first?.lowercased() {
        case "tables":
            let answer = await tables.respond(to: request, target: target)
            var logged = Answer(answer.response, from: .tables)
            logged.table = answer.table
            logged.operation = answer.operation
            logged.sender = answer.sender
            logged.detail = answer.detail
            logged.isOutage = answer.isOutage
            return logged
        case ".auth", "login":
            guard let auth else { return Answer(FaultResponse.noLogins(in: generation), from: .auth) }
            let answer = await auth.respond(to: request, target: target)
            var logged = Answer(answer.response, from: .auth)
            logged.detail = answer.detail
            logged.isOutage = answer.isOutage
            return logged
        case "api":
            let answer = await apis.respond(to: request, target: target)
            var logged = Answer(answer.response, from: .api)
            logged.api = answer.api
            if logged.response.reason == nil { logged.response.reason = "the API itself answered so" }
            logged.sender = answer.sender
            logged.detail = answer.detail
            logged.isOutage = answer.isOutage
            return logged
        case "push":
            let answer = await push.respond(to: request, target: target)
            var logged = Answer(answer.response ?? unknownPath(request, target), from: .push)
            logged.sender = answer.sender
            logged.detail = answer.detail
            logged.isOutage = answer.isOutage
            return logged
        case "openapi.json":
            return Answer(await openAPI.respond(to: request, target: target) ?? unknownPath(request, target))
        default:
            var answer = await admin.respond(to: request, target: target)
            if answer == nil { answer = await metricsPage.respond(to: request, target: target) }
            if answer == nil { answer = await status.respond(to: request, target: target) }
            guard let answer else { return Answer(unknownPath(request, target)) }
            var logged = Answer(answer.response)
            logged.detail = answer.detail
            logged.isProbe = Self.isProbe(target)
            logged.isReadiness = target.segments == ["readyz"]
            return logged
        }
    }

    private func unknownPath(_ request: HTTPRequest, _ target: RequestTarget) -> HTTPResponse {
        FaultResponse.unknownPath(in: generation(of: request, target))
    }

    /// Whoever watches the server asks from one address, and often.
    private static let probes: Set<String> = ["healthz", "readyz", "metrics"]

    private static func isProbe(_ target: RequestTarget) -> Bool {
        target.segments.count == 1 && probes.contains(target.segments[0])
    }

    private func refusalByAddress(_ request: HTTPRequest, _ target: RequestTarget) -> Answer? {
        guard let addressLimit, !Self.isProbe(target),
            let seconds = addressLimit.wait(for: ClientAddress.limited(request, trusting: proxies))
        else { return nil }
        // A body is not worth a look any more.
        var head = request
        head.body = []
        let failure = ErrorResponse(tooOften: "limits.addressRequestsPerMinute", seconds: seconds)
        var answer = Answer(failure.response(in: generation(of: head, target)))
        answer.detail = failure.detail
        return answer
    }

    /// What a request without a router of its own is answered in.
    private func generation(of request: HTTPRequest, _ target: RequestTarget) -> Generation {
        APIVersion.generation(of: request, target, else: generation)
    }

    /// Adds the fields that every response has.
    private static func sign(_ response: inout HTTPResponse, id: String) {
        response.fields.append("X-Request-Id", id)
        response.fields.append("x-zumo-server-version", Release.name)
        // No browser is to take a row or an error for a page.
        if !response.fields.contains("X-Content-Type-Options") {
            response.fields.append("X-Content-Type-Options", "nosniff")
        }
    }
}
