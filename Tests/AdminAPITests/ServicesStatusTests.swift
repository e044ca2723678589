import Access
import HTTPModel
import JSONText
import Tables
import Testing
import ZumoProtocol

@testable import AdminAPI

@Suite("The pages that operators of Mobile Services know")
struct ServicesStatusTests {
    private func answer(
        _ method: HTTPMethod, _ path: String, key: String? = nil, store: PingStore = PingStore()
    ) async throws -> RouteResponse? {
        let authenticator = Authenticator(verifier: TokenVerifier(), masterKey: try SharedSecret("master"))
        let status = ServicesStatus(store: store, callers: Callers(authenticator), product: "zumod-1")
        let target = Array(path.utf8)
        var request = HTTPRequest(method: method, target: target)
        if let key { request.fields.append("X-ZUMO-MASTER", key) }
        return await status.answer(request, at: try RequestTarget(target))
    }

    @Test(arguments: ["/status", "/Status/"])
    func `whether the server lives is told to everybody, without a word`(_ path: String) async throws {
        let response = try #require(try await answer(.get, path)).response
        #expect(response.status == .ok)
        #expect(response.body.joined?.isEmpty == true)
    }

    @Test func `diagnostics are for the holder of the master key`() async throws {
        for key in [nil, "wrong"] {
            let response = try #require(try await answer(.get, "/diagnostics", key: key)).response
            #expect(response.status == .unauthorized)
            #expect(response.body.joined == Array(#"{"code":401,"error":"Error: Unauthorized"}"#.utf8))
        }
        let response = try #require(try await answer(.get, "/diagnostics", key: "master")).response
        #expect(response.status == .ok)
        let members = try Self.members(response)
        #expect(members["version"] == .string("zumod-1"))
        #expect(members["uptime"] == .string("0 seconds"))
        guard case .object(let database)? = members["database"] else {
            Issue.record("no database")
            return
        }
        #expect(database.first { $0.name == "reachable" }?.value == .boolean(true))
    }

    @Test func `a database that doesn't answer makes the diagnostics 503`() async throws {
        let store = PingStore(error: .unavailable(detail: "disk gone"))
        let answer = try #require(try await answer(.get, "/diagnostics", key: "master", store: store))
        #expect(answer.response.status == .serviceUnavailable)
        #expect(answer.detail?.contains("disk gone") == true)
        let text = String(decoding: answer.response.body.joined ?? [], as: UTF8.self)
        #expect(text.contains(#""database":{"reachable":false,"latencyMilliseconds":null}"#))
        #expect(!text.contains("disk gone"))
    }

    @Test(arguments: ["/status", "/diagnostics"])
    func `they are only read`(_ path: String) async throws {
        let response = try #require(try await answer(.post, path, key: "master")).response
        #expect(response.status == .methodNotAllowed)
        #expect(response.fields["Allow"] == "GET, HEAD")
    }

    @Test(arguments: ["/", "/status/more", "/statuses"])
    func `other paths are left to others`(_ path: String) async throws {
        #expect(try await answer(.get, path)?.response == nil)
    }

    @Test(arguments: [
        (0, "0 seconds"), (1, "1 second"), (61, "1 minute 1 second"), (3_600, "1 hour 0 minutes 0 seconds"),
        (183_845, "2 days 3 hours 4 minutes 5 seconds"),
    ])
    func `a time is told in words`(_ seconds: Int64, _ words: String) {
        #expect(ServicesStatus.words(seconds) == words)
    }

    private static func members(_ response: HTTPResponse) throws -> [String: JSONValue] {
        guard case .object(let members) = try JSONReader.parse(response.body.joined ?? []) else { return [:] }
        return Dictionary(members.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    }
}
