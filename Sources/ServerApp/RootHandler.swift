import AdminAPI
import AuthAPI
import HTTPModel
import JSONText
import Logging
import TableAPI
import Tables

/// Gives each request its id, finds who answers it, and logs what came of it.
struct RootHandler: HTTPHandler {
    private let tables: TableRouter
    private let admin: AdminRouter
    private let auth: AuthRouter?
    private let log: RequestLog
    private let ids = RequestIDs()

    init(store: any TableStore, settings: TableSettings, auth: AuthRouter? = nil, logger: Logger) {
        tables = TableRouter(store: store, settings: settings)
        admin = AdminRouter(store: store, product: Release.name)
        self.auth = auth
        log = RequestLog(logger)
    }

    func respond(to request: HTTPRequest) async -> HTTPResponse {
        let start = ContinuousClock.now
        let id = ids.id(of: request)
        var answer = await route(request)
        Self.sign(&answer.response, id: id)
        log.write(id: id, method: request.method.name, answer, took: start.duration(to: .now))
        return answer.response
    }

    func response(to fault: HTTPFault) -> HTTPResponse {
        let id = ids.next()
        var answer = Answer(FaultResponse.make(fault))
        Self.sign(&answer.response, id: id)
        log.write(id: id, method: "-", answer, took: .zero)
        return answer.response
    }

    /// What came of a request, and what the log says about it.
    struct Answer {
        var response: HTTPResponse
        var table: String?
        var operation: Operation?
        var detail: String?

        init(_ response: HTTPResponse) {
            self.response = response
        }
    }

    private func route(_ request: HTTPRequest) async -> Answer {
        let target: RequestTarget
        do throws(RequestTarget.Fault) {
            target = try RequestTarget(request.target)
        } catch {
            return Answer(FaultResponse.make(error))
        }
        switch target.segments.first?.lowercased() {
        case "tables":
            let answer = await tables.respond(to: request, target: target)
            var logged = Answer(answer.response)
            logged.table = answer.table
            logged.operation = answer.operation
            logged.detail = answer.detail
            return logged
        case ".auth", "login":
            guard let auth else { return Answer(FaultResponse.noLogins) }
            let answer = await auth.respond(to: request, target: target)
            var logged = Answer(answer.response)
            logged.detail = answer.detail
            return logged
        case "push":
            return Answer(PushInstallations.respond(to: request, target: target) ?? FaultResponse.unknownPath)
        default:
            guard let answer = await admin.respond(to: request, target: target) else {
                return Answer(FaultResponse.unknownPath)
            }
            var logged = Answer(answer.response)
            logged.detail = answer.detail
            return logged
        }
    }

    /// Adds the fields that every response has.
    private static func sign(_ response: inout HTTPResponse, id: String) {
        response.fields.append("X-Request-Id", id)
        response.fields.append("x-zumo-server-version", Release.name)
    }
}
