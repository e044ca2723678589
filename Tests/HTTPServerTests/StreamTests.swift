import Gzip
import HTTPModel
import HTTPServer
import Testing

@Suite("Answers of several buffers, and answers that stream", .everyTransport)
struct StreamTests {
    private static func get(_ target: String, method: String = "GET", version: String = "1.1") -> String {
        "\(method) \(target) HTTP/\(version)\r\nHost: h\r\n\r\n"
    }

    @Test func `a stream of unknown length comes in chunks, byte by byte so, and the connection goes on`() async throws
    {
        try await serving(StreamHandler()) { port in
            let client = try RawClient(port: port)
            for _ in 0..<3 {
                try client.send(Self.get("/words"))
                let (line, fields) = try client.receiveHead()
                #expect(line == "HTTP/1.1 200 OK")
                #expect(fields.contains("Transfer-Encoding: chunked"))
                #expect(!fields.contains { $0.hasPrefix("Content-Length") || $0.hasPrefix("Connection") })
                let chunks = "3\r\none\r\ne\r\ntwelve letters\r\n0\r\n\r\n"
                #expect(try client.receive(chunks.utf8.count) == Array(chunks.utf8))
            }
        }
    }

    @Test func `a stream whose length is known has that, and no chunks`() async throws {
        try await serving(StreamHandler()) { port in
            let client = try RawClient(port: port)
            for (target, text) in [("/known", "onetwo"), ("/nothing", ""), ("/bytes", "/bytes")] {
                let answer = try client.ask(Self.get(target))
                #expect(answer["Content-Length"] == "\(text.utf8.count)" && answer["Transfer-Encoding"] == nil)
                #expect(answer.text == text)
            }
        }
    }

    @Test func `a sequence of buffers is a stream too`() async throws {
        try await serving(StreamHandler()) { port in
            let client = try RawClient(port: port)
            try client.send(Self.get("/sequence"))
            _ = try client.receiveHead()
            #expect(try client.receive(17) == Array("1\r\na\r\n1\r\nb\r\n0\r\n\r\n".utf8))
        }
    }

    @Test func `chunks that are larger than what is sent at a time come whole`() async throws {
        try await serving(StreamHandler()) { port in
            let client = try RawClient(port: port, receiveBufferBytes: 4096)
            try client.send(Self.get("/large") + Self.get("/next"))
            _ = try client.receiveHead()
            for _ in 0..<10 {
                #expect(try client.receive(7) == Array("493e0\r\n".utf8))
                #expect(try client.receive(300_000).allSatisfy { $0 == 120 })
                #expect(try client.receive(2) == Array("\r\n".utf8))
            }
            #expect(try client.receive(5) == Array("0\r\n\r\n".utf8))
            #expect(try client.receiveAnswer().text == "/next")
        }
    }

    @Test func `HEAD has the same head, and no buffer is asked for`() async throws {
        let handler = StreamHandler()
        try await serving(handler) { port in
            let client = try RawClient(port: port)
            try client.send(Self.get("/words", method: "HEAD"))
            #expect(try client.receiveAnswer(toHead: true)["Transfer-Encoding"] == "chunked")
            try client.send(Self.get("/known", method: "HEAD"))
            #expect(try client.receiveAnswer(toHead: true)["Content-Length"] == "6")
            #expect(try client.ask(Self.get("/bytes")).text == "/bytes")
            #expect(handler.asked.value == 0)
        }
    }

    @Test func `to HTTP 1.0 a stream of unknown length ends with the connection, and one of known length doesn't`()
        async throws
    {
        try await serving(StreamHandler()) { port in
            let client = try RawClient(port: port)
            let known = "GET /known HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"
            #expect(try client.ask(known)["Connection"] == "keep-alive")
            try client.send("GET /words HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
            let (_, fields) = try client.receiveHead()
            #expect(fields.contains("Connection: close"))
            #expect(!fields.contains { $0.hasPrefix("Transfer-Encoding") || $0.hasPrefix("Content-Length") })
            #expect(try client.receiveToEnd() == Array("onetwelve letters".utf8))
        }
    }

    @Test func `an answer behind a stream in a pipeline comes after its end`() async throws {
        try await serving(StreamHandler()) { port in
            let client = try RawClient(port: port)
            try client.send(Self.get("/a") + Self.get("/words") + Self.get("/b") + Self.get("/known") + Self.get("/c"))
            #expect(try client.receiveAnswer().text == "/a")
            _ = try client.receiveHead()
            _ = try client.receive(32)
            for text in ["/b", "onetwo", "/c"] { #expect(try client.receiveAnswer().text == text) }
        }
    }

    @Test func `each buffer comes when it is made, however long the next one takes`() async throws {
        let handler = StreamHandler()
        // Limits for readers that are slow, which don't concern a producer.
        try await serving(
            handler,
            limits: {
                $0.sendStallTime = .milliseconds(1)
                $0.window = .milliseconds(1)
                $0.headerTime = TimeLimitTests.fair
            }
        ) { port in
            let client = try RawClient(port: port)
            try client.establish()
            try client.send(Self.get("/gated"))
            _ = try client.receiveHead()
            #expect(try client.receive(8) == Array("3\r\none\r\n".utf8))
            #expect(eventually { handler.gate.arrivals == 1 })
            // Another connection runs into its limit meanwhile, so at least one check has passed.
            #expect(try RawClient(port: port).receiveToEnd().isEmpty)
            handler.gate.open()
            #expect(try client.receive(13) == Array("3\r\ntwo\r\n0\r\n\r\n".utf8))
        }
    }

    @Test func `a connection may rest as long after a stream that took longer`() async throws {
        let handler = StreamHandler()
        try await serving(handler, limits: { $0.idleTime = TimeLimitTests.fair }) { port in
            let (client, resting) = (try RawClient(port: port), try RawClient(port: port))
            try client.send(Self.get("/gated"))
            #expect(eventually { handler.gate.arrivals == 1 })
            #expect(try resting.ask(Self.get("/a")).text == "/a")
            #expect(try resting.receiveToEnd().isEmpty)
            handler.gate.open()
            _ = try client.receiveHead()
            _ = try client.receive(21)
            #expect(try client.ask(Self.get("/b")).text == "/b")
        }
    }

    @Test(arguments: [1, 5, 40, 300])
    func `several buffers come as one body, of whatever sizes`(count: Int) async throws {
        let whole = Array(StreamHandler.buffers(count).joined())
        try await serving(StreamHandler()) { port in
            let client = try RawClient(port: port, receiveBufferBytes: 4096)
            try client.send(Self.get("/a") + Self.get("/buffers/\(count)") + Self.get("/b"))
            #expect(try client.receiveAnswer().text == "/a")
            let answer = try client.receiveAnswer()
            #expect(answer["Content-Length"] == "\(whole.count)" && answer.body == whole)
            #expect(try client.receiveAnswer().text == "/b")
        }
    }

    @Test func `several buffers are sent as gzip, and streams as they are`() async throws {
        let whole = Array(StreamHandler.buffers(40).joined())
        try await serving(StreamHandler()) { port in
            let client = try RawClient(port: port)
            let accepting = " HTTP/1.1\r\nHost: h\r\nAccept-Encoding: gzip\r\n\r\n"
            let answer = try client.ask("GET /buffers/40" + accepting)
            #expect(answer["Content-Encoding"] == "gzip")
            #expect(try GzipExpander.expand(answer.body, limit: whole.count) { _ in true } == whole)
            let stream = try client.ask("GET /known" + accepting)
            #expect(stream["Content-Encoding"] == nil && stream.text == "onetwo")
        }
    }
}
