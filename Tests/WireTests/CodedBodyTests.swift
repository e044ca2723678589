import Gzip
import Testing
import WireTesting

@Suite struct `Rows as gzip` {
    private static func request(_ head: String, _ fields: [String], _ body: [UInt8] = []) -> [UInt8] {
        let lines =
            [head + " HTTP/1.1", "Host: h", "ZUMO-API-VERSION: 2.0.0", "Content-Length: \(body.count)"] + fields
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
    }

    @Test(arguments: TestDatabase.all)
    func `go both ways, and have the tag that they have without`(on database: TestDatabase) async throws {
        try await TestServer.with(on: database) { server in
            let client = try WireClient(port: server.port)
            let compressor = try #require(GzipCompressor())
            let text = String(repeating: "Grüße und Küsse. ", count: 400)
            let row = compressor.compress(Array(#"{"id":"a","text":"\#(text)"}"#.utf8))
            try client.send(Self.request("POST /tables/todo", ["Content-Encoding: gzip"], row))
            #expect(try client.response().code == 201)
            try client.send(Self.request("GET /tables/todo/a", []))
            let plain = try client.response()
            #expect(plain.text.contains(text) && plain["Content-Encoding"] == nil)
            try client.send(Self.request("GET /tables/todo/a", ["Accept-Encoding: gzip"]))
            let coded = try client.response()
            #expect(coded["Content-Encoding"] == "gzip" && coded.body.count < plain.body.count / 4)
            #expect(try GzipExpander.expand(coded.body, limit: 1 << 20) { _ in true } == plain.body)
            let tag = try #require(coded["ETag"])
            #expect(tag == plain["ETag"])
            let change = compressor.compress(Array(#"{"text":"short"}"#.utf8))
            try client.send(
                Self.request("PATCH /tables/todo/a", ["Content-Encoding: gzip", "If-Match: \(tag)"], change))
            #expect(try client.response().code == 200)
            try client.send(
                Self.request("PATCH /tables/todo/a", ["Content-Encoding: gzip", "If-Match: \(tag)"], row))
            #expect(try client.response().code == 412)
        }
    }
}
