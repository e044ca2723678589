import Testing
import WireTesting

@Suite struct `Wrong passwords and keys` {
    private static let lines = [
        "auth:", "  signingKey: 00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff",
        "  masterKey: the-master-key-of-the-test", "  applicationKey: the-application-key", "  providers: { local: }",
    ]
    private static let right = "X-ZUMO-MASTER: the-master-key-of-the-test"
    private static let wrong = "X-ZUMO-MASTER: the-master-key-of-another"

    private static func code(_ client: WireClient, _ key: String, from address: String) throws -> Int {
        try client.exchange("GET", "/tables/todo", "", [key, "X-Forwarded-For: \(address)"]).code
    }

    @Test func `are logged and counted, and bounded for an address`() async throws {
        try await TestServer.with(on: .sqlite, lines: Self.lines) { server in
            let client = try WireClient(port: server.port)
            let body = #"{"username":"nobody","password":"wrong horse"}"#
            #expect(try client.exchange("POST", "/.auth/login/local", body).code == 401)
            for _ in 0..<3 { #expect(try Self.code(client, Self.wrong, from: "192.0.2.1") == 200) }
            let application = ["X-ZUMO-APPLICATION: another"]
            #expect(try client.exchange("GET", "/tables/todo", "", application).code == 200)
            let page = try MetricsText(try client.exchange("GET", "/metrics").text)
            for (kind, count) in [("password", 1.0), ("masterKey", 3), ("applicationKey", 1), ("providerToken", 0)] {
                #expect(page.value("zumod_access_failures_total", ["kind": kind]) == count, "\(kind)")
            }

            let codes = try SpentAttempts.statuses(of: 109, oneForgivenEach: .milliseconds(500)) { _ in
                try Self.code(client, Self.wrong, from: "192.0.2.1")
            }
            #expect(codes.last == 429)
            #expect(codes.count > 90)
            #expect(try Self.code(client, Self.wrong, from: "192.0.2.2") == 200)
            // Those who share the address of an operator don't keep the right key out.
            #expect(try Self.code(client, Self.right, from: "192.0.2.1") == 200)
            // Whoever shows no key is anybody.
            #expect(try Self.code(client, "X-Other: 1", from: "192.0.2.1") == 200)
        }
    }
}
