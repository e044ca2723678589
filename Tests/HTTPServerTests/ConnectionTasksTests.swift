import HTTPModel
import HTTPServer
import Testing

@Suite("Connections that share the tasks of their loop", .everyTransport)
struct ConnectionTasksTests {
    private static func get(_ target: String) -> String {
        "GET \(target) HTTP/1.1\r\nHost: h\r\n\r\n"
    }

    @Test func `are all served at once where their handlers wait, and one by one where they don't`() async throws {
        let gate = Gate()
        try await serving(TestHandler(gate: gate), limits: { $0.addressConnectionCount = 1_000 }) { port in
            let clients = try (0..<150).map { _ in try RawClient(port: port) }
            for round in 1...3 {
                for client in clients { try client.send(Self.get(round == 1 ? "/gate" : "/\(round)")) }
                if round == 1 {
                    #expect(eventually { gate.arrivals == clients.count })
                    let other = try RawClient(port: port)
                    try other.send(Self.get("/other"))
                    #expect(try other.receiveAnswer().body == Array("/other".utf8))
                    gate.open()
                }
                for client in clients {
                    #expect(try client.receiveAnswer().body == Array((round == 1 ? "/gate" : "/\(round)").utf8))
                }
            }
        }
    }

    /// Answers a stream that is silent, or whether the task is cancelled that answers.
    private struct CancellationHandler: HTTPHandler {
        let streams = StreamHandler()

        func respond(to request: HTTPRequest) async -> HTTPResponse {
            if request.target == Array("/silent".utf8) { return await streams.respond(to: request) }
            return HTTPResponse(.ok, body: Array("\(Task.isCancelled)".utf8))
        }

        func response(to fault: HTTPFault, after request: HTTPRequest) -> HTTPResponse {
            streams.response(to: fault, after: request)
        }
    }

    @Test func `are not cancelled with one whose client went`() async throws {
        let handler = CancellationHandler()
        try await serving(handler, limits: { $0.addressConnectionCount = 1_000 }) { port in
            let others = try (0..<8).map { _ in try RawClient(port: port) }
            for round in 1...5 {
                let client = try RawClient(port: port)
                try client.send(Self.get("/silent"))
                _ = try client.receiveHead()
                #expect(eventually { handler.streams.asked.value == 2 * round })
                client.reset()
                #expect(eventually { handler.streams.cancellations.value == round })
                for other in others {
                    try other.send(Self.get("/"))
                    #expect(try other.receiveAnswer().body == Array("false".utf8))
                }
            }
        }
    }
}
