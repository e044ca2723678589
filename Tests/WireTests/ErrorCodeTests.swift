import Testing
import WireTesting

@Suite("The codes of failures")
struct ErrorCodeTests {
    struct Case: Sendable {
        let request: String
        let code: String
        var body = ""
        var fields: [String] = []

        init(_ request: String, _ code: String, body: String = "", _ fields: [String] = []) {
            self.request = request
            self.code = code
            self.body = body
            self.fields = fields
        }
    }

    private static let cases = [
        Case("GET /nothing", "path-unknown"), Case("GET /tables/none/1", "table-unknown"),
        Case("GET /tables/TodoItem/none", "row-not-found"),
        Case("GET /tables/TodoItem?$filter=colour%20eq", "query-invalid"),
        Case("GET /tables/TodoItem?$top=100000", "top-over-limit"),
        Case("GET /tables/TodoItem?$skiptoken=x", "continuation-unknown"),
        Case("PUT /tables/TodoItem/1", "method-not-allowed"), Case("GET /%zz", "request-malformed"),
        Case("POST /tables/TodoItem", "body-malformed", body: "{"),
        Case("POST /tables/TodoItem", "body-not-object", body: "[]"),
        Case("POST /tables/TodoItem", "id-invalid", body: #"{"id":"a/b"}"#),
        Case("POST /tables/TodoItem", "value-nested", body: #"{"text":{}}"#),
        Case("POST /tables/TodoItem", "property-reserved", body: #"{"createdAt":"x"}"#),
        Case("POST /tables/TodoItem", "media-type-unsupported", body: "{}", ["Content-Type: text/html"]),
        Case("POST /tables/TodoItem", "content-coding-unsupported", body: "{}", ["Content-Encoding: br"]),
        Case("PATCH /tables/TodoItem/1", "if-match-invalid", body: "{}", ["If-Match: \"a\", \"b\""]),
        Case("PATCH /tables/TodoItem", "id-missing", body: "{}"),
        Case("PATCH /tables/TodoItem/1", "id-mismatch", body: #"{"id":"2"}"#),
        Case("GET /tables/TodoItem", "version-unknown", ["ZUMO-API-VERSION: 7.0.0"]),
        Case("GET /tables/TodoItem", "token-invalid", ["X-ZUMO-AUTH: a.b.c"]),
        Case("GET /api/none", "api-unknown"),
    ]

    @Test(arguments: TestDatabase.all)
    func `come with the text, in v2 and v3, and v1 has the status`(database: TestDatabase) async throws {
        try await TestServer.with(on: database) { server in
            for item in Self.cases {
                let words = item.request.split(separator: " ").map(String.init)
                var fields = item.fields
                if !item.body.isEmpty, !fields.contains(where: { $0.hasPrefix("Content-Type") }) {
                    fields.append("Content-Type: application/json")
                }
                let response = try WireClient(port: server.port).exchange(words[0], words[1], item.body, fields)
                #expect(response.code >= 400, "\(item)")
                #expect(response["Cache-Control"] == "no-cache, no-store", "\(item)")
                #expect(response.text.hasSuffix(#","code":"\#(item.code)"}"#), "\(item): \(response.text)")
            }
            let old = try WireClient(port: server.port).exchange("GET", "/tables/none", "", ["X-ZUMO-APPLICATION: any"])
            #expect(old.text.hasPrefix(#"{"code":404,"error":"#))
        }
    }

    @Test(arguments: TestDatabase.all)
    func `are kept by no cache, nor are the rows that come with them`(database: TestDatabase) async throws {
        try await TestServer.with(on: database) { server in
            let client = try WireClient(port: server.port)
            for fields in [["ZUMO-API-VERSION: 2.0.0"], ["ZUMO-API-VERSION: 3.0.0"], ["X-ZUMO-APPLICATION: any"]] {
                let id = "cached-\(fields[0].filter(\.isNumber))"
                let json = fields + ["Content-Type: application/json"]
                let body = #"{"id":"\#(id)"}"#
                #expect(try client.exchange("POST", "/tables/TodoItem", body, json).code == 201)
                let again = try client.exchange("POST", "/tables/TodoItem", body, json)
                let stale = try client.exchange(
                    "PATCH", "/tables/TodoItem/\(id)", #"{"text":"x"}"#, json + ["If-Match: \"AAAA\""])
                for (response, code) in [(again, 409), (stale, 412)] {
                    #expect(response.code == code, "\(response.text)")
                    #expect(response["Cache-Control"] == "no-cache, no-store")
                }
            }
        }
    }

    @Test(arguments: TestDatabase.all)
    func `v1 answers a text of the table's own without one`(database: TestDatabase) async throws {
        let file = ["tables/posts.yaml": "columns: { title: { type: string, required: Give it a title. } }\n"]
        try await TestServer.with(on: database, files: file) { server in
            func body(_ field: String) throws -> String {
                try WireClient(port: server.port).exchange(
                    "POST", "/tables/posts", "{}", ["Content-Type: application/json", field]
                ).text
            }
            let text = #""error":"Give it a title.","message":"Give it a title.""#
            let (old, new) = (try body("X-ZUMO-APPLICATION: key"), try body("ZUMO-API-VERSION: 2.0.0"))
            #expect(old == "{\(text)}")
            #expect(new == "{\(text),\"code\":\"value-required\"}")
        }
    }

    @Test(arguments: TestDatabase.all)
    func `what never became a request is answered in the generation that its head says`(
        database: TestDatabase
    ) async throws {
        let lines = ["generation: v1", "limits: { bodyBytes: 1024 }"]
        try await TestServer.with(on: database, lines: lines) { server in
            let body = "{\"id\":\"\(String(repeating: "x", count: 2_000))\"}"
            func answer(_ fields: [String]) throws -> String {
                let response = try WireClient(port: server.port).exchange(
                    "POST", "/tables/TodoItem", body, ["Content-Type: application/json"] + fields)
                #expect(response["Cache-Control"] == "no-cache, no-store")
                return response.text
            }
            let (old, new) = (try answer([]), try answer(["ZUMO-API-VERSION: 2.0.0"]))
            #expect(old.hasPrefix(#"{"code":413,"error":"Error: "#), "\(old)")
            #expect(new.hasSuffix(#","code":"request-too-large"}"#), "\(new)")
            let login = try WireClient(port: server.port).exchange("GET", "/.auth/me", "", [])
            #expect(login.text.contains(#""message":"#), "\(login.text)")
        }
    }
}
