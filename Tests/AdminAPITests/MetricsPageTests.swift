import Access
import AdminAPI
import HTTPModel
import Testing
import ZumoProtocol

@Suite struct `The address of metrics` {
    private func answer(
        _ path: String = "/metrics", _ method: HTTPMethod = .get, from peer: String,
        _ field: (StaticString, String)? = nil
    ) async throws -> HTTPResponse? {
        let authenticator = Authenticator(verifier: TokenVerifier(), masterKey: try SharedSecret("master"))
        let target = Array(path.utf8)
        var request = HTTPRequest(method: method, target: target, peer: peer)
        if let field { request.fields.append(field.0, field.1) }
        let page = MetricsPage(callers: Callers(authenticator)) { Array("page\n".utf8) }
        return await page.answer(request, at: try RequestTarget(target))?.response
    }

    @Test(arguments: ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"])
    func `is open to this machine`(_ peer: String) async throws {
        let response = try #require(try await answer(from: peer))
        #expect(response.status == .ok && response.body.joined == Array("page\n".utf8))
        #expect(response.fields["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8")
        #expect(response.fields["Cache-Control"] == "no-store")
    }

    @Test(arguments: ["10.0.0.1", "192.168.1.1", "::ffff:10.0.0.1", "2001:db8::1", "", "127.0.0.1.example"])
    func `asks everybody else for the master key`(_ peer: String) async throws {
        let refusal = try #require(try await answer(from: peer))
        #expect(refusal.status == .unauthorized)
        #expect(String(decoding: refusal.body.joined ?? [], as: UTF8.self).hasPrefix(#"{"error":""#))
        #expect(try await answer(from: peer, ("X-ZUMO-MASTER", "wrong"))?.status == .unauthorized)
        #expect(try await answer(from: peer, ("X-ZUMO-MASTER", "master"))?.status == .ok)
    }

    @Test(
        arguments: [
            "Forwarded", "X-Forwarded-For", "x-forwarded-for", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-IP",
            "Via",
        ] as [StaticString])
    func `is not open to what a proxy on this machine passes on`(_ field: StaticString) async throws {
        for value in ["", "127.0.0.1", "for=10.0.0.1"] {
            #expect(try await answer(from: "127.0.0.1", (field, value))?.status == .unauthorized)
        }
    }

    @Test func `is only read, and nothing else is answered`() async throws {
        #expect(try await answer("/metrics", .post, from: "127.0.0.1")?.status == .methodNotAllowed)
        #expect(try await answer("/metrics", .head, from: "127.0.0.1")?.status == .ok)
        #expect(try await answer("/metrics/more", from: "127.0.0.1") == nil)
        #expect(try await answer("/Metrics", from: "127.0.0.1") == nil)
    }
}
