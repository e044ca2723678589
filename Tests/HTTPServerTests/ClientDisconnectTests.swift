import Synchronization
import Testing

@Suite(.everyTransport) struct `A client that goes while its request is answered` {
    @Test func `is noticed at once where it resets the connection`() async throws {
        let handler = TestHandler()
        try await serving(handler) { port in
            let client = try RawClient(port: port)
            try client.send("GET /wait HTTP/1.1\r\nHost: a\r\n\r\n")
            // What is on its way is lost by a reset.
            #expect(eventually { handler.waits.number.load(ordering: .relaxed) == 1 })
            client.reset()
            #expect(eventually { handler.disconnects.number.load(ordering: .relaxed) == 1 })
        }
    }

    @Test func `is noticed where it closes, also with more requests behind`() async throws {
        let handler = TestHandler()
        try await serving(handler) { port in
            let request = "GET /wait HTTP/1.1\r\nHost: a\r\n\r\n"
            for _ in 0..<3 { try RawClient(port: port).send(request + request) }
            #expect(eventually { handler.disconnects.number.load(ordering: .relaxed) >= 3 })
        }
    }

    @Test func `and only shuts its sending side is given some time for each request, and its answers`() async throws {
        let handler = TestHandler()
        try await serving(handler) { port in
            let client = try RawClient(port: port)
            let wait = "GET /wait HTTP/1.1\r\nHost: a\r\n\r\n"
            try client.send(wait + wait + "GET /bytes/3 HTTP/1.1\r\nHost: a\r\n\r\n")
            let start = ContinuousClock.now
            client.finishSending()
            for _ in 0..<2 { #expect(try client.receiveAnswer().text == "/wait") }
            #expect(try client.receiveAnswer().text == "xxx")
            #expect(ContinuousClock.now - start > .seconds(2))
        }
    }
}
