import CustomAPI
import HTTPModel
import SQLiteStorage
import ServerConfiguration
import ServerLogging
import ServerMetrics
import Synchronization
import TableAPI
import TableOperations
import Tables
import Testing
import WireTesting
import ZumoProtocol

@testable import ServerApp

@Suite("The root handler")
struct RootHandlerTests {
    private let lines = LogLines()

    private func handler(
        limited: Bool = false, extensions: Extensions = Extensions(), log: LogSettings = LogSettings()
    ) throws -> RootHandler {
        let table = TableDefinition(name: try #require(Identifier("TodoItem")))
        let store = try SQLiteTableStore.open(.memory, tables: [table], servesClientTables: false)
        let logger = Log(CurrentLogSettings(log), write: lines.append)
        let settings = TableSettings(authenticator: Configuration().auth.authenticator())
        // Nobody waits for a third turn.
        let limit = RateLimit(burst: 2, perMinute: 0.001)
        let metrics = ServerMetrics(version: Release.version)
        return RootHandler(
            Routes.all(over: store, settings, apis: extensions.apis, metrics: metrics),
            generations: settings.generations, proxies: settings.proxies, addressLimit: limited ? limit : nil,
            telling: [metrics.requests, RequestLog(logger)])
    }

    private func request(_ method: HTTPMethod, _ target: String, id: String? = nil) -> HTTPRequest {
        var fields = HTTPFields()
        if let id { fields.append("X-Request-Id", id) }
        return HTTPRequest(method: method, target: Array(target.utf8), fields: fields)
    }

    /// A route that the server knows nothing of.
    private struct Echo: Route {
        let probes = ["echo"]

        func answer(_ request: HTTPRequest, at target: RequestTarget) async -> RouteResponse? {
            guard target.segments.first == "echo" else { return nil }
            return RouteResponse(HTTPResponse(.ok, body: request.body), detail: "echoed")
        }

        func describe(in document: inout OpenAPIDocument) {}
    }

    /// Somebody who looks on.
    private final class Witness: RequestObserver {
        let seen = Mutex<[String]>([])

        func begin(id: String, _ request: HTTPRequest) {
            seen.withLock { $0.append("begins") }
        }

        func end(_ event: RequestEvent) {
            seen.withLock { $0.append("\(event.answer.response.status.rawValue) \(event.answer.detail ?? "")") }
        }
    }

    @Test func `another route is one more of the list, and every observer hears of it`() async throws {
        let witness = Witness()
        let handler = RootHandler(
            [Echo()], generations: Generations(), proxies: .loopback,
            addressLimit: RateLimit(burst: 1, perMinute: 0.001),
            telling: [witness])
        var request = request(.post, "/echo")
        request.body = [1, 2]
        // As a probe it may ask as often as it likes.
        for _ in 0..<3 { #expect(await handler.respond(to: request).body.joined == [1, 2]) }
        #expect(await handler.respond(to: self.request(.get, "/tables/a")).status == .notFound)
        #expect(witness.seen.withLock { $0 }.suffix(4) == ["begins", "200 echoed", "begins", "404 "])
    }

    @Test(arguments: [
        (HTTPMethod.get, "/", HTTPStatus.ok), (.head, "/healthz", .ok), (.get, "/readyz", .ok),
        (.post, "/readyz", .methodNotAllowed), (.get, "/tables/todoitem", .ok), (.get, "/TABLES/TodoItem/", .ok),
        (.get, "/tables/none", .notFound), (.get, "/none", .notFound), (.get, "/healthz/x", .notFound),
        (.get, "/%zz", .badRequest), (.get, "*", .badRequest), (.put, "/push/installations/abc", .noContent),
        (.delete, "/push/installations/abc", .noContent), (.get, "/push/installations/abc", .notFound),
        (.put, "/push", .notFound),
    ])
    func `every answer has an id and the server's version`(
        method: HTTPMethod, target: String, status: HTTPStatus
    ) async throws {
        let response = try await handler().respond(to: request(method, target))
        #expect(response.status == status)
        #expect(response.fields.values("X-Request-Id").count == 1)
        #expect(response.fields["x-zumo-server-version"] == "zumod-\(Release.version)")
        #expect(response.fields.values("X-Content-Type-Options") == ["nosniff"])
        if status.rawValue >= 400 {
            let body = String(decoding: response.body.joined ?? [], as: UTF8.self)
            #expect(body.hasPrefix("{\"error\":\"") && body.contains("\",\"message\":\""))
        }
    }

    @Test(arguments: [TableError.timeout, .busy])
    func `a list of an API that comes to a limit is no outage of the database`(_ error: TableError) async throws {
        var extensions = Extensions()
        extensions.api("slow") { api in
            api.get { _ in throw RowsError.operation(.table(error)) }
        }
        let response = try await handler(extensions: extensions).respond(to: request(.get, "/api/slow"))
        #expect(response.status == .serviceUnavailable && response.fields.contains("Retry-After"))
        #expect(!String(decoding: response.body.joined ?? [], as: UTF8.self).contains("database"))
        #expect(lines.all.count == 1 && !lines.all[0].contains("requests refused"))
    }

    @Test func `a request that never became one is answered in the same form`() throws {
        let response = try handler().response(to: .bodyTooLarge(limit: 10), after: request(.put, "/tables/TodoItem"))
        #expect(response.status == .contentTooLarge)
        #expect(response.fields.contains("X-Request-Id"))
        #expect(response.fields["x-zumo-server-version"] == Release.name)
        let sentence = "The body is larger than 10 bytes."
        let expected = "{\"error\":\"\(sentence)\",\"message\":\"\(sentence)\",\"code\":\"request-too-large\"}"
        #expect(String(decoding: response.body.joined ?? [], as: UTF8.self) == expected)
    }

    @Test(arguments: ["a", String(repeating: "x", count: 64), "!~"])
    func `a sane id of the client comes back`(id: String) async throws {
        let response = try await handler().respond(to: request(.get, "/", id: id))
        #expect(response.fields["X-Request-Id"] == id)
    }

    @Test(arguments: ["", String(repeating: "x", count: 65), "a b", "é"])
    func `any other id is replaced`(id: String) async throws {
        let response = try await handler().respond(to: request(.get, "/", id: id))
        #expect(response.fields["X-Request-Id"] != id)
        #expect(response.fields["X-Request-Id"]?.isEmpty == false)
    }

    @Test func `ids of one server differ`() {
        let ids = RequestIDs()
        #expect(Set((0..<1_000).map { _ in ids.next() }).count == 1_000)
    }

    @Test func `a request over a limit is logged like any other, with the key of the limit`() async throws {
        let handler = try handler(limited: true)
        for _ in 0..<5 { _ = await handler.respond(to: request(.get, "/tables/TodoItem", id: "me")) }
        #expect(lines.all.count == 5)
        #expect(
            lines.all[2].contains("detail=\"over limits.addressRequestsPerMinute\" id=me method=GET "))
    }

    @Test func `an answer whose stream breaks off is an error in the log, with the request's id`() throws {
        let get = request(.get, "/feed?code=secret")
        var answer = HTTPResponse(.ok)
        answer.fields.append("X-Request-Id", "me")
        try HandlerSwitch(handler()).didBreakOff(answer, to: get, because: RequestTarget.Fault.nul)
        #expect(lines.all.count == 1)
        #expect(lines.all.first?.contains("error answer broke off detail=nul id=me method=GET path=/feed") == true)
    }

    @Test func `a request is logged with who asked what, and what came of it`() async throws {
        var request = request(.get, "/tables/TODOITEM?$top=1", id: "me")
        request.peer = "192.0.2.7"
        let length = try #require(await handler().respond(to: request).body.length)
        let line = try #require(lines.all.first)
        #expect(lines.all.count == 1)
        let members = "address=192.0.2.7 bytes=\(length) generation=v2 id=me method=GET operation=read"
        #expect(line.contains(" info request \(members) path=/tables/TODOITEM status=200 table=TodoItem us="))
    }

    @Test(arguments: [
        ("/none?x=1", 404, "There is nothing at this path", "/none"), ("/%zz", 400, "The URL has a %", "/%zz"),
        ("/tables/none", 404, "There is no table named 'none'.", "/tables/none"),
        ("/tables/todoitem/a", 404, "The item does not exist", "/tables/todoitem/a"),
        ("/tables/todoitem?$top=x", 400, "$top", "/tables/todoitem"),
        ("/api/none", 404, "There is no API", "/api/none"),
        ("/push/none", 404, "There is nothing at this path", "/push/none"),
        (".auth", 400, "The request target", ".auth"), ("/login", 404, "This server has no logins", "/login"),
    ])
    func `a refusal is logged with its reason and the path`(
        target: String, status: Int, reason: String, path: String
    ) async throws {
        _ = try await handler().respond(to: request(.get, target))
        let line = try #require(lines.all.first)
        #expect(lines.all.count == 1)
        #expect(line.contains(" detail=\"\(reason)") && line.contains(" path=\(path) status=\(status) "))
    }

    @Test func `what never became a request is logged with what came of it`() throws {
        var begun = request(.put, "/tables/TodoItem?x=1")
        begun.peer = "192.0.2.7"
        _ = try handler().response(to: .bodyTooLarge(limit: 10), after: begun)
        let line = try #require(lines.all.first)
        #expect(line.contains(" address=192.0.2.7 ") && line.contains("detail=\"The body is larger than 10 bytes.\""))
        #expect(line.contains(" method=PUT path=/tables/TodoItem status=413 "))
    }

    @Test(arguments: ["/healthz", "/readyz", "/metrics"])
    func `who looks after the server is logged at debug only`(path: String) async throws {
        var request = request(.get, path)
        request.peer = "127.0.0.1"
        _ = try await handler().respond(to: request)
        #expect(lines.all.isEmpty)
        var log = LogSettings()
        log.level = .debug
        _ = try await handler(log: log).respond(to: request)
        #expect(lines.all.count { $0.contains(" debug request ") && $0.contains(" path=\(path) status=200 ") } == 1)
    }

    @Test func `a trace is logged, and one that is none is passed over`() async throws {
        for field in ["00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "00-x-y-01"] {
            var request = request(.get, "/")
            request.fields.append("traceparent", field)
            _ = try await handler().respond(to: request)
        }
        #expect(lines.all.count == 2)
        #expect(lines.all[0].contains(" trace=0af7651916cd43dd8448eb211c80319c "))
        #expect(!lines.all[1].contains("trace="))
    }
}
