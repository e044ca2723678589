import HTTPModel
import HTTPServer
import Testing

@Suite("Answers that the server doesn't send, or not whole", .everyTransport)
struct UnsentAnswerTests {
    private static func get(_ target: String) -> String {
        "GET \(target) HTTP/1.1\r\nHost: h\r\n\r\n"
    }

    @Test func `one that is withheld is lost before its client has left, and those before it are not`() async throws {
        let handler = StreamHandler()
        try await serving(handler) { port in
            let client = try RawClient(port: port)
            #expect(try client.ask(Self.get("/first")).text == "/first")
            try client.send(Self.get("/second") + Self.get("/withheld"))
            #expect(try client.receiveAnswer().text == "/second")
            #expect(try client.receiveToEnd().isEmpty)
            // It has seen the end and has not closed: the system can say nothing of it yet.
            #expect(handler.tickets.map { $0.giveUp() } == [false, false, true])
            withExtendedLifetime(client) {}
        }
    }

    @Test func `one that is cut off because its client takes it too slowly is lost`() async throws {
        let handler = StreamHandler()
        var limits = ServerLimits.patient
        limits.sendStallTime = TimeLimitTests.short
        let server = try Transport.server(handler: handler, limits: limits)
        let port = try server.start(host: "127.0.0.1", port: 0).port
        defer { server.stop() }
        try await blocking {
            let client = try RawClient(port: port, receiveBufferBytes: 4096)
            try client.send(Self.get("/buffers/2000"))
            // What the system holds of it at the end is not the whole of it.
            #expect(eventually { handler.tickets.count == 1 && server.openConnections == 0 })
            #expect(handler.tickets.first?.giveUp() == true)
            withExtendedLifetime(client) {}
        }
    }
}
