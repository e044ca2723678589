import AdminAPI
import HTTPModel
import Tables
import Testing
import ZumoProtocol

@Suite("The operators' pages")
struct AdminRouterTests {
    private func answer(_ method: HTTPMethod, _ path: String, store: PingStore = PingStore()) async throws
        -> RouteResponse?
    {
        let target = Array(path.utf8)
        return try await AdminRouter(store: store, product: "zumod-1").answer(
            HTTPRequest(method: method, target: target), at: RequestTarget(target))
    }

    @Test func `the front page says what this is`() async throws {
        let response = try #require(try await answer(.get, "/")).response
        #expect(response.status == .ok)
        #expect(response.fields["Content-Type"] == "text/plain; charset=utf-8")
        #expect(String(decoding: response.body.joined ?? [], as: UTF8.self).contains("zumod-1"))
    }

    @Test func `OPTIONS of the front page says that the server is there`() async throws {
        let response = try #require(try await answer(.options, "/")).response
        #expect(response.status == .noContent && response.fields["Allow"] == "GET, HEAD, OPTIONS")
        #expect(try await answer(.options, "/healthz")?.response.status == .methodNotAllowed)
    }

    @Test(arguments: [("/healthz", "alive"), ("/readyz", "ready"), ("/readyz/", "ready")])
    func `health is told in JSON`(path: String, word: String) async throws {
        let response = try #require(try await answer(.get, path)).response
        #expect(response.status == .ok)
        #expect(response.body.joined == Array("{\"status\":\"\(word)\"}".utf8))
        #expect(response.fields["Cache-Control"] == "no-store")
    }

    @Test func `a database that doesn't answer makes the server not ready, but leaves it alive`() async throws {
        let store = PingStore(error: .unavailable(detail: "disk gone"))
        let answer = try #require(try await answer(.get, "/readyz", store: store))
        #expect(answer.response.status == .serviceUnavailable)
        #expect(answer.detail?.contains("disk gone") == true)
        #expect(!String(decoding: answer.response.body.joined ?? [], as: UTF8.self).contains("disk gone"))
        #expect(try await self.answer(.get, "/healthz", store: store)?.response.status == .ok)
    }

    @Test func `a server whose tables are away is ready for the others, and names them`() async throws {
        var store = PingStore()
        store.away = ["Note", "Task"].compactMap { Identifier($0) }
        let response = try #require(try await answer(.get, "/readyz", store: store)).response
        #expect(response.status == .ok)
        #expect(response.body.joined == Array("{\"status\":\"ready\",\"away\":[\"Note\",\"Task\"]}".utf8))
    }

    @Test func `a server without the keys of a provider is ready for all others, and names it`() async throws {
        let target = Array("/readyz".utf8)
        let router = AdminRouter(store: PingStore(), product: "zumod-1") { ["auth.keySets[0]", "google"] }
        let answer = try await router.answer(HTTPRequest(method: .get, target: target), at: RequestTarget(target))
        let response = try #require(answer).response
        #expect(response.status == .ok)
        #expect(
            response.body.joined == Array(#"{"status":"ready","withoutKeys":["auth.keySets[0]","google"]}"#.utf8))
    }

    @Test func `a server that can't run scripts is ready for what needs none, and says so`() async throws {
        let target = Array("/readyz".utf8)
        let router = AdminRouter(store: PingStore(), product: "zumod-1", scriptsFail: { true })
        let answer = try await router.answer(HTTPRequest(method: .get, target: target), at: RequestTarget(target))
        let response = try #require(answer).response
        #expect(response.status == .ok)
        #expect(response.body.joined == Array(#"{"status":"ready","scripts":"unavailable"}"#.utf8))
    }

    @Test(arguments: ["/", "/healthz", "/readyz"])
    func `they are only read`(path: String) async throws {
        let response = try #require(try await answer(.delete, path)).response
        #expect(response.status == .methodNotAllowed)
        #expect(response.fields["Allow"] == "GET, HEAD")
    }

    @Test(arguments: ["/nothing", "/healthz/more", "//a"])
    func `other paths are left to others`(path: String) async throws {
        #expect(try await answer(.get, path)?.response == nil)
    }
}
