import JSONText
import Testing
import WireTesting

@Suite struct `Limits of requests` {
    private static let page = "Origin: http://localhost:3000"

    /// One request goes ahead; the next one would have its turn after a minute, which no test takes.
    private static func expectTurns(_ client: WireClient, _ target: String, _ fields: [String]) throws {
        #expect(try client.exchange("GET", target, "", fields).code != 429)
        let refused = try client.exchange("GET", target, "", fields + [page])
        #expect(refused.code == 429)
        let seconds = try #require(Int(refused["Retry-After"] ?? ""))
        #expect((1...60).contains(seconds))
        #expect(try refused.row["error"]?.text == "Too many requests; try again in \(seconds) s.")
        #expect(refused["Access-Control-Allow-Origin"] == "http://localhost:3000")
        #expect(refused["Access-Control-Expose-Headers"]?.contains("Retry-After") == true)
    }

    @Test(arguments: ["/tables/todo", "/api/none", "/.auth/me", "/login/google", "/push/x", "/nowhere", "/", "/status"])
    func `an address that asks too often has to wait, whatever it asks for`(_ target: String) async throws {
        try await TestServer.with(on: .sqlite, lines: ["limits: { addressRequestsPerMinute: 1 }"]) { server in
            let client = try WireClient(port: server.port)
            try Self.expectTurns(client, target, [])
            #expect(try client.exchange("POST", "/tables/todo", "{}").code == 429)
        }
    }

    @Test func `devices behind one address are told different seconds`() async throws {
        try await TestServer.with(on: .sqlite, lines: ["limits: { addressRequestsPerMinute: 1 }"]) { server in
            let client = try WireClient(port: server.port)
            #expect(try client.exchange("GET", "/tables/todo").code == 200)
            let told = try (0..<4).map { _ in
                let refused = try client.exchange("GET", "/tables/todo")
                #expect(refused.code == 429)
                return try #require(Int(refused["Retry-After"] ?? ""))
            }
            // A turn comes in a minute, the next one in two; nobody is sent away for longer.
            #expect(Set(told.map { $0 > 60 }).count == 2 && told.allSatisfy { (1...120).contains($0) }, "\(told)")
        }
    }

    @Test func `whoever watches the server, and the question of a browser, is answered all the same`() async throws {
        try await TestServer.with(on: .sqlite, lines: ["limits: { addressRequestsPerMinute: 1 }"]) { server in
            let client = try WireClient(port: server.port)
            for _ in 0..<10 {
                #expect(try client.exchange("GET", "/healthz").code == 200)
                #expect(try client.exchange("GET", "/readyz").code == 200)
                #expect(try client.exchange("GET", "/metrics").code != 429)
                let preflight = try client.exchange(
                    "OPTIONS", "/tables/todo", "", [Self.page, "Access-Control-Request-Method: PATCH"])
                #expect(preflight.code == 200)
            }
            try Self.expectTurns(client, "/tables/todo", [])
            #expect(try client.exchange("GET", "/healthz").code == 200)
        }
    }

    @Test(arguments: [
        (["X-Forwarded-For: 192.0.2.1"], ["X-Forwarded-For: 192.0.2.2"], ["X-Forwarded-For: 203.0.113.9, 192.0.2.1"]),
        (
            ["X-Forwarded-For: 2001:db8:0:1::1"], ["X-Forwarded-For: 2001:db8:0:2::1"],
            ["X-Forwarded-For: 2001:db8:0:1:ffff::2"]
        ),
    ])
    func `addresses are told apart by what a trusted proxy says, and those of IPv6 by their first half`(
        _ one: [String], _ other: [String], _ same: [String]
    ) async throws {
        try await TestServer.with(on: .sqlite, lines: ["limits: { addressRequestsPerMinute: 1 }"]) { server in
            let client = try WireClient(port: server.port)
            try Self.expectTurns(client, "/tables/todo", one)
            try Self.expectTurns(client, "/tables/todo", other)
            #expect(try client.exchange("GET", "/tables/todo", "", same).code == 429)
        }
    }

    @Test func `where no proxy is trusted nobody chooses an address`() async throws {
        let lines = ["limits: { addressRequestsPerMinute: 1 }", "trustedProxies: [192.0.2.200]"]
        try await TestServer.with(on: .sqlite, lines: lines) { server in
            let client = try WireClient(port: server.port)
            try Self.expectTurns(client, "/tables/todo", ["X-Forwarded-For: 192.0.2.1"])
            #expect(try client.exchange("GET", "/tables/todo", "", ["X-Forwarded-For: 192.0.2.2"]).code == 429)
        }
    }

    @Test(arguments: ["/tables/todo", "/tables/none", "/api/none", "/.auth/me", "/.auth/refresh", "/push/x"])
    func `a user who asks too often has to wait, and no other`(_ target: String) async throws {
        let lines = [UserTokens.line, "limits: { userRequestsPerMinute: 1 }"]
        try await TestServer.with(on: .sqlite, lines: lines) { server in
            let client = try WireClient(port: server.port)
            let ann = try UserTokens.field("sid:ann")
            let forged = try UserTokens.field("sid:ann", key: "another-key-of-thirty-two-bytes-at-the-least")
            for _ in 0..<5 {
                #expect(try client.exchange("GET", target, "", [forged]).code == 401)
                #expect(try client.exchange("GET", target).code != 429)
            }
            try Self.expectTurns(client, target, [ann])
            try Self.expectTurns(client, target, [try UserTokens.field("sid:bob")])
            #expect(try client.exchange("GET", "/tables/todo", "", [ann]).code == 429)
            #expect(try client.exchange("GET", "/tables/todo").code == 200)
            // An admin's jobs are not counted.
            for _ in 0..<5 {
                #expect(try client.exchange("GET", "/tables/todo", "", [ann, "X-ZUMO-MASTER: master"]).code == 200)
            }
        }
    }

    @Test(arguments: TestDatabase.all)
    func `each generation says it in its own form, and nothing was written`(on database: TestDatabase) async throws {
        let lines = [UserTokens.line, "limits: { addressRequestsPerMinute: 1 }"]
        try await TestServer.with(on: database, lines: lines) { server in
            let client = try WireClient(port: server.port)
            #expect(try client.exchange("GET", "/tables/todo").text == "[]")
            let v1 = try client.exchange("POST", "/tables/todo", #"{"text":"tea"}"#, ["X-ZUMO-APPLICATION: x"])
            #expect(v1.code == 429)
            #expect(try v1.row["code"] == .integer(429))
            #expect(try v1.row["error"]?.text?.hasPrefix("Error: Too many requests; try again in ") == true)
            for version in ["2.0.0", "3.0.0"] {
                let later = try client.exchange(
                    "POST", "/tables/todo", #"{"text":"tea"}"#, ["ZUMO-API-VERSION: \(version)"])
                #expect(later.code == 429)
                #expect(try later.row["message"] == later.row["error"])
            }
            let other = ["X-Forwarded-For: 192.0.2.1"]
            #expect(try client.exchange("GET", "/tables/todo", "", other).text == "[]")
        }
    }

    @Test func `what a proxy says of the address also counts in the address of a registration`() async throws {
        let fields = ["X-Forwarded-Host: api.example.com", "X-Forwarded-Proto: https"]
        for (proxies, base) in [("127.0.0.1", "https://api.example.com/"), ("192.0.2.1", "http://localhost/")] {
            try await TestServer.with(on: .sqlite, lines: ["trustedProxies: [\(proxies)]"]) { server in
                let client = try WireClient(port: server.port)
                let answer = try client.exchange("POST", "/push/registrationids", "", fields)
                #expect(answer["Location"]?.hasPrefix(base) == true)
            }
        }
    }
}
