import Testing
import WireTesting
import ZumodServer

/// What the golden cases of origins don't show: they leave `Vary` out, and send no broken requests.
@Suite struct `Pages of other origins` {
    private static let page = "Origin: http://localhost:3000"

    @Test(arguments: TestDatabase.all)
    func `every answer says that it depends on the origin, also to who sends none`(
        on database: TestDatabase
    ) async throws {
        try await TestServer.with(on: database) { server in
            let client = try WireClient(port: server.port)
            for path in ["/", "/healthz", "/tables/todo", "/tables/none", "/api/none", "/.auth/me", "/nowhere", "/%zz"]
            {
                for fields in [[], [Self.page], ["Origin: http://example.com"]] {
                    let answer = try client.exchange("GET", path, "", fields)
                    #expect(
                        answer.fields.filter { $0.name == "Vary" }.map(\.value)
                            == ["Origin, Accept-Encoding"], "\(path) \(fields)")
                    #expect((answer["Access-Control-Allow-Origin"] != nil) == (fields == [Self.page]))
                    #expect(answer["Access-Control-Allow-Credentials"] == nil)
                }
            }
        }
    }

    @Test(arguments: [#"["*"]"#, "[]"])
    func `no answer says so where all origins are the same`(_ origins: String) async throws {
        try await TestServer.with(on: .sqlite, lines: ["cors: { origins: \(origins) }"]) { server in
            let client = try WireClient(port: server.port)
            for fields in [[], [Self.page]] {
                #expect(try client.exchange("GET", "/tables/todo", "", fields)["Vary"] == "Accept-Encoding")
            }
        }
    }

    @Test(arguments: [
        ("Content-Length: 1048577", "", 413), ("Transfer-Encoding: chunked", "100001\r\n", 413),
        ("Expect: magic", "", 417), ("Transfer-Encoding: gzip", "", 501), ("Nonsense", "", 400),
    ])
    func `a page can read why its request was none`(_ field: String, _ body: String, _ code: Int) async throws {
        try await TestServer.with(on: .sqlite) { server in
            let client = try WireClient(port: server.port)
            try client.send("POST /tables/todo HTTP/1.1\r\nHost: a\r\n\(Self.page)\r\n\(field)\r\n\r\n\(body)")
            let answer = try client.response()
            #expect(answer.code == code)
            #expect(answer["Access-Control-Allow-Origin"] == "http://localhost:3000")
        }
    }

    @Test func `an API that speaks of origins itself has the last word`() async throws {
        var extensions = Extensions()
        extensions.api("open") { api in
            api.get { _ in APIResponse.text("for all").adding("Access-Control-Allow-Origin", "*") }
        }
        try await TestServer.with(on: .sqlite, extensions: extensions) { server in
            let answer = try WireClient(port: server.port).exchange("GET", "/api/open", "", [Self.page])
            #expect(answer.fields.filter { $0.name == "Access-Control-Allow-Origin" }.map(\.value) == ["*"])
        }
    }

    @Test(arguments: [
        ("[localhost]", "http://localhost:3000", 200), ("[localhost]", "https://evil.example", 400),
        (#"["*"]"#, "http://localhost:3000", 400), ("[]", "http://localhost:3000", 400),
        // Whoever is on the way can put a page there.
        ("[app.example]", "http://app.example", 400), ("[\"*.example\"]", "http://app.example", 400),
        ("[app.example]", "https://app.example", 200), ("[\"http://app.example\"]", "http://app.example", 200),
        ("[127.0.0.1]", "http://127.0.0.1:3000", 200),
    ])
    func `a login tells its token to an origin that is named, and to no other`(
        _ origins: String, _ origin: String, _ code: Int
    ) async throws {
        let lines = ["cors: { origins: \(origins) }", "auth:", "  signingKey: a-key-of-thirty-two-bytes-at-the-least"]
        try await TestServer.with(on: .sqlite, lines: lines + ["  providers: { local: }"]) { server in
            let path = "/.auth/login/local?completion_type=postMessage&completion_origin=\(origin)"
            let answer = try WireClient(port: server.port).exchange("GET", path)
            #expect(answer.code == code)
        }
    }
}
