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
}
