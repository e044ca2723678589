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

    /// The origin comes behind what is too long, mostly in packets of its own.
    @Test(arguments: [414, 431], [true, false])
    func `a page can read that its request was too long`(_ code: Int, isInPieces: Bool) async throws {
        try await TestServer.with(on: .sqlite) { server in
            let client = try WireClient(port: server.port)
            let long = String(repeating: "x", count: 70_000)
            let line = code == 414 ? "GET /tables/todo?a=\(long) HTTP/1.1" : "GET / HTTP/1.1\r\nCookie: \(long)"
            let start = "\(line)\r\n"
            try client.send(start + (isInPieces ? "Host: a\r\nOri" : ""))
            if isInPieces { try await Task.sleep(for: .milliseconds(100)) }
            try client.send((isInPieces ? "gin" : "Host: a\r\nOrigin") + ": http://localhost:3000\r\n\r\n")
            let answer = try client.response()
            #expect(answer.code == code)
            #expect(answer["Access-Control-Allow-Origin"] == "http://localhost:3000")
        }
    }

    @Test func `a preflight of an address that is too long is answered, so that the page can read the refusal`()
        async throws
    {
        try await TestServer.with(on: .sqlite) { server in
            let path = "/tables/todo?a=\(String(repeating: "x", count: 70_000))"
            let asking = ["Access-Control-Request-Method: GET", "Access-Control-Request-Headers: zumo-api-version"]
            let answer = try WireClient(port: server.port).exchange("OPTIONS", path, "", [Self.page] + asking)
            #expect((200...204).contains(answer.code))
            #expect(answer["Access-Control-Allow-Origin"] == "http://localhost:3000")
            #expect(answer["Access-Control-Allow-Headers"] == "zumo-api-version")
            let foreign = ["Origin: http://example.com"]
            let other = try WireClient(port: server.port).exchange("OPTIONS", path, "", foreign + asking)
            #expect(other.code == 414 && other["Access-Control-Allow-Origin"] == nil)
        }
    }

    @Test(arguments: [#"["file://"]"#, #"["file:///", "null"]"#])
    func `pages from files may be listed`(_ origins: String) async throws {
        try await TestServer.with(on: .sqlite, lines: ["cors: { origins: \(origins) }"]) { server in
            let client = try WireClient(port: server.port)
            for (origin, isListed) in [("file://", true), ("null", origins.contains("null")), ("file://a", false)] {
                let fields = ["Origin: \(origin)", "Access-Control-Request-Method: GET"]
                let answer = try client.exchange("OPTIONS", "/tables/todo", "", fields)
                #expect(answer["Access-Control-Allow-Origin"] == (isListed ? origin : nil), "\(origin)")
                let read = try client.exchange("GET", "/tables/todo", "", ["Origin: \(origin)"])
                #expect(read["Access-Control-Allow-Origin"] == (isListed ? origin : nil), "\(origin)")
            }
        }
    }

    @Test(arguments: ["x_odd", "x.odd, x<y", String(repeating: "x", count: 600)])
    func `a field that the server knows is allowed beside any other`(_ odd: String) async throws {
        try await TestServer.with(on: .sqlite) { server in
            let known = ["if-match", "x-zumo-auth", "zumo-api-version"]
            let list = (known.dropFirst() + [odd, "If-Match"]).joined(separator: ", ")
            let asked = "Access-Control-Request-Headers: \(list)"
            let answer = try WireClient(port: server.port).exchange(
                "OPTIONS", "/tables/todo", "", [Self.page, "Access-Control-Request-Method: PATCH", asked])
            #expect(answer["Access-Control-Allow-Headers"] == known.joined(separator: ", "))
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
