import Testing
import WireTesting

/// What a proxy says of the address is in all that leads back to the server.
@Suite("Addresses behind a proxy that takes off a part of the path") struct ForwardedAddressTests {
    private static let proxy = [
        "X-Forwarded-For: 192.0.2.1", "X-Forwarded-Proto: https", "X-Forwarded-Host: api.example",
        "X-Forwarded-Port: 8443", "X-Forwarded-Prefix: /app",
    ]
    private static let base = "https://api.example:8443/app"

    @Test func `links, locations and redirects lead through it`() async throws {
        let lines = ["pageSize: 1", "auth:", "  signingKey: a-key-of-thirty-two-bytes-at-the-least"]
        try await TestServer.with(on: .sqlite, lines: lines + ["  providers: { local: }"]) { server in
            let client = try WireClient(port: server.port)
            func ask(_ method: String, _ path: String, _ body: String = "", _ fields: String...) throws -> WireResponse
            {
                try client.exchange(method, path, body, Self.proxy + ["Forwarded: host=evil;for=1.1.1.1"] + fields)
            }
            for id in ["a", "b"] {
                let made = try ask("POST", "/tables/todo", #"{"id":"\#(id)"}"#)
                #expect(made["Location"] == "\(Self.base)/tables/todo/\(id)")
            }
            let link = try ask("GET", "/tables/todo")["Link"]
            #expect(link?.hasPrefix("\(Self.base)/tables/todo?$skip=1") == true)
            func next(_ fields: String...) throws -> String {
                let answer = try client.exchange(
                    "GET", "/tables/todo", "", Self.proxy + ["ZUMO-API-VERSION: 3.0.0"] + fields)
                return try String(answer.text[#require(answer.text.firstRange(of: "\"nextLink\":\"")).upperBound...])
            }
            #expect(try next("X-ZUMO-Options: nextLink=path").hasPrefix("/app/tables/todo?$skip=1"))
            #expect(try next("X-ZUMO-VERSION: 5").hasPrefix("\(Self.base)/tables/todo?$skip=1"))
            #expect(try next().hasPrefix("%24skip=1"))
            let page = try ask("GET", "/.auth/login/local")
            #expect(page.text.contains("action=\"/app/.auth/login/local\""), "\(page.text)")
            #expect(page["Set-Cookie"]?.contains("Path=/;") == true)
        }
    }

    @Test(arguments: [
        "X-Forwarded-Host: a\"b", "X-Forwarded-Host: a;rel=x", "X-Forwarded-Port: 80;x",
        "X-Forwarded-Prefix: //evil.example", "X-Forwarded-Prefix: /a\"><script>", "X-Forwarded-Prefix: /../x",
        "Forwarded: host=\"a;b\";proto=\"x\"",
        "X-Forwarded-Proto: javascript",
    ])
    func `odd words are as if they weren't said`(_ field: String) async throws {
        try await TestServer.with(on: .sqlite, lines: ["pageSize: 1"]) { server in
            let client = try WireClient(port: server.port)
            for id in ["a", "b"] { _ = try client.exchange("POST", "/tables/todo", #"{"id":"\#(id)"}"#) }
            let plain = try client.exchange("GET", "/tables/todo")["Link"]?.prefix { $0 != "?" }
            let odd = try client.exchange("GET", "/tables/todo", "", [field])["Link"]?.prefix { $0 != "?" }
            #expect(odd == plain && odd != nil)
        }
    }
}
