import Gzip
import HTTPModel
import Testing

@testable import HTTPServer

@Suite("Bodies as gzip", .everyTransport)
struct ContentCodingTests {
    static func get(_ target: String, accepting codings: String? = "gzip", method: String = "GET") -> String {
        "\(method) \(target) HTTP/1.1\r\nHost: h\r\n" + (codings.map { "Accept-Encoding: \($0)\r\n" } ?? "") + "\r\n"
    }

    static func post(_ body: [UInt8], coding: String = "gzip") -> [UInt8] {
        Array(
            "POST /echo HTTP/1.1\r\nHost: h\r\nContent-Encoding: \(coding)\r\nContent-Length: \(body.count)\r\n\r\n"
                .utf8)
            + body
    }

    static func gzip(_ text: [UInt8]) throws -> [UInt8] {
        try #require(GzipCompressor()).compress(text)
    }

    @Test(arguments: [1_024, 65_536, 65_537, 3_000_000])
    func `an answer is sent as gzip to who takes it, and its length is that of the gzip`(size: Int) async throws {
        try await serving { port in
            let client = try RawClient(port: port)
            let answer = try client.ask(Self.get("/json/\(size)"))
            #expect(answer["Content-Encoding"] == "gzip")
            #expect(answer["Vary"] == "Accept-Encoding")
            #expect(answer.body.count < size / 4)
            #expect(try GzipExpander.expand(answer.body, limit: size) { _ in true } == TestHandler.text(size))
            try client.send(Self.get("/json/\(size)", method: "HEAD"))
            #expect(try client.receiveAnswer(toHead: true)["Content-Length"] == "\(answer.body.count)")
            let plain = try client.ask(Self.get("/json/\(size)", accepting: nil))
            #expect(plain["Content-Encoding"] == nil && plain.body == TestHandler.text(size))
            // Or a cache would hand one client the other's.
            #expect(plain["Vary"] == "Accept-Encoding")
        }
    }

    @Test(arguments: ["/json/1023", "/bytes/5000", "/secret/5000", "/noise/5000", "/noise/100000"])
    func `an answer that is small, of another type, not to be stored or does not get smaller is sent as it is`(
        target: String
    ) async throws {
        try await serving { port in
            let answer = try RawClient(port: port).ask(Self.get(target))
            #expect(answer["Content-Encoding"] == nil)
            #expect(answer.body.count == Int(target.split(separator: "/")[1]))
        }
    }

    @Test(arguments: [
        ("gzip", true), ("x-gzip", true), ("GZIP", true), ("deflate, gzip;q=1.0, *;q=0.5", true), ("*", true),
        ("gzip;q=0.001", true), (" gzip ; q=0.5 ", true), ("br, gzip", true), ("gzip, identity;q=0.5", true),
        ("identity;q=1, gzip;q=1", true), ("", false), ("br", false), ("identity", false), ("gzip;q=0", false),
        ("gzip;q=0.000", false), ("*;q=0", false), ("gzip;q=0, *", false), ("gzip;q=0.5, identity", false),
        ("gzip;q=x", false), ("gzip;q=2", false), ("gzipped", false), (";q=1", false), (",,", false),
    ])
    func `what a client says of codings is kept to`(codings: String, takesGzip: Bool) {
        var fields = HTTPFields()
        fields.append("Accept-Encoding", codings)
        #expect(AcceptedCodings.haveGzip(fields) == takesGzip)
    }

    @Test func `large answers of which many are asked for at once are all whole, as gzip or as they are`() async throws
    {
        try await serving { port in
            let clients = try (0..<20).map { _ in try RawClient(port: port) }
            for client in clients { try client.send(Self.get("/json/2000000")) }
            for client in clients {
                let answer = try client.receiveAnswer()
                let text =
                    answer["Content-Encoding"] == "gzip"
                    ? try GzipExpander.expand(answer.body, limit: 2_000_000) { _ in true } : answer.body
                #expect(text == TestHandler.text(2_000_000))
            }
        }
    }

    @Test func `a body that comes as gzip is handed on as its text`() async throws {
        try await serving { port in
            let client = try RawClient(port: port)
            for size in [0, 1, 500, 100_000, 1 << 20] {
                let text = TestHandler.text(size)
                for coding in ["gzip", "x-gzip", "GZip"] {
                    try client.send(Self.post(try Self.gzip(text), coding: coding))
                    #expect(try client.receiveAnswer().body == text, "\(size) bytes")
                }
            }
            // What is no gzip by its name is the handler's to refuse.
            try client.send(Self.post([1, 2, 3], coding: "br"))
            #expect(try client.receiveAnswer().body == [1, 2, 3])
        }
    }

    @Test func `a body whose text would be over the limit is refused, and one that is damaged too`() async throws {
        try await serving { port in
            let whole = try Self.gzip(TestHandler.text(5_000))
            let cases: [(body: [UInt8], status: String)] = [
                (try Self.gzip([UInt8](repeating: 0, count: (1 << 20) + 1)), "HTTP/1.1 413 Content Too Large"),
                (try Self.gzip([UInt8](repeating: 0, count: 200 << 20)), "HTTP/1.1 413 Content Too Large"),
                (Array("{}".utf8), "HTTP/1.1 400 Bad Request"),
                (Array(whole.dropLast()), "HTTP/1.1 400 Bad Request"),
            ]
            // Only now: a busy machine may be at the bomb for longer than a connection may be silent.
            let client = try RawClient(port: port)
            for (body, status) in cases {
                try client.send(Self.post(body))
                #expect(try client.receiveAnswer().statusLine == status)
                // The request was read to its end, so the connection goes on.
                try client.send(Self.post(whole))
                #expect(try client.receiveAnswer().body.count == 5_000)
            }
        }
    }

    @Test func `texts of bombs count for the budget, which others go on beside`() async throws {
        let budget = ByteBudget(4 << 20)
        try await BudgetTests.serving(budget) { port, _ in
            let bomb = Self.post(try Self.gzip([UInt8](repeating: 0, count: 8 << 20)))
            let clients = try (0..<50).map { _ in try RawClient(port: port) }
            for client in clients { try client.send(bomb) }
            #expect(try RawClient(port: port).ask(BudgetTests.get).text == "/a")
            for client in clients {
                let line = try client.receiveAnswer().statusLine
                #expect(line.contains(" 413 ") || line.contains(" 503 "))
            }
            #expect(budget.highestBytes <= budget.limit)
        }
    }
}
