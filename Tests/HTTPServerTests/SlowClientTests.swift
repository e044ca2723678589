import HTTPModel
import HTTPServer
import Synchronization
import Testing

/// Clients that are slow for as long as they like, and the others. The windows are short, and nothing has to come in them.
@Suite("Slow clients", .everyTransport)
struct SlowClientTests {
    /// Answers with so many bytes, and tells what became of them.
    private final class Handler: HTTPHandler {
        let ends = Mutex<[ResponseDelivery.End]>([])
        let refusals = Count()

        func respond(to request: HTTPRequest) async -> HTTPResponse {
            var response = await TestHandler().respond(to: request)
            response.delivery = ResponseDelivery { [self] end in ends.withLock { $0.append(end) } }
            return response
        }

        func response(to fault: HTTPFault, after request: HTTPRequest) -> HTTPResponse {
            refusals.number.add(1, ordering: .relaxed)
            return TestHandler().response(to: fault, after: request)
        }

        var cuts: [ResponseDelivery.End] { ends.withLock { $0.filter { $0 != .sent } } }
    }

    private static func serving(
        _ budget: ByteBudget, areProxies: Bool, _ client: @escaping @Sendable (UInt16, Handler) throws -> Void
    ) async throws {
        var limits = ServerLimits.patient
        limits.window = .milliseconds(200)
        limits.bodyBytesPerWindow = 0
        limits.sendBytesPerWindow = 0
        if areProxies { limits.isProxy = { _ in true } }
        let handler = Handler()
        let server = try Transport.server(handler: handler, limits: limits, budget: budget)
        let port = try server.start(host: "127.0.0.1", port: 0).port
        defer { server.stop() }
        try await blocking { try client(port, handler) }
        #expect(eventually { budget.heldBytes == 0 })
    }

    private static let body = 1_000_000

    /// Clients that have sent most of their bodies, and wait.
    private static func senders(_ count: Int, _ port: UInt16) throws -> [RawClient] {
        try (0..<count).map { _ in
            let client = try RawClient(port: port)
            try client.send("POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: \(body)\r\n\r\n")
            try client.send([UInt8](repeating: 120, count: body - 1))
            return client
        }
    }

    /// - Returns: how many were refused, once all are answered.
    private static func end(_ senders: [RawClient]) throws -> Int {
        try senders.map { client in
            try? client.send([120])
            let answer = try client.receiveAnswer()
            #expect(answer.statusLine.contains(" 503 ") || answer.body.count == body, "\(answer.statusLine)")
            return answer.statusLine.contains(" 503 ") ? 1 : 0
        }.reduce(0, +)
    }

    /// Whether an answer of so many bytes has room.
    private static func isServed(_ size: Int, _ port: UInt16) -> Bool {
        do {
            return try RawClient(port: port).ask("GET /bytes/\(size) HTTP/1.1\r\nHost: h\r\n\r\n").body.count == size
        } catch {
            return false
        }
    }

    @Test func `of one address hold a quarter of the budget with their bodies`() async throws {
        let budget = ByteBudget(24 << 20)
        try await Self.serving(budget, areProxies: false) { port, handler in
            let senders = try Self.senders(10, port)
            let isRefused = { handler.refusals.number.load(ordering: .relaxed) > 0 }
            #expect(eventually { isRefused() && budget.heldBytes <= 6 << 20 })
            // Who is left may go on.
            let refused = try Self.end(senders)
            #expect((1..<10).contains(refused))
        }
    }

    @Test func `make room for whoever was refused`() async throws {
        let budget = ByteBudget(8 << 20)
        try await Self.serving(budget, areProxies: true) { port, _ in
            let senders = try Self.senders(2, port)
            #expect(eventually { budget.heldBytes >= 2 * Self.body })
            // It has no room beside the two, which don't hold more than slow clients may.
            #expect(eventually { Self.isServed(5_500_000, port) })
            #expect(try Self.end(senders) > 0)
        }
    }

    @Test func `give way with the answers that they take, and it is told how much of them was sent`() async throws {
        let budget = ByteBudget(24 << 20)
        try await Self.serving(budget, areProxies: false) { port, handler in
            let readers = try (0..<3).map { _ in try RawClient(port: port, receiveBufferBytes: 4096) }
            for reader in readers {
                try reader.send("GET /bytes/5000000 HTTP/1.1\r\nHost: h\r\n\r\n")
                #expect(try reader.receiveHead().statusLine == "HTTP/1.1 200 OK")
            }
            // What is left of each has become less, but two of them have too much still.
            #expect(eventually { handler.cuts.count > 0 && budget.heldBytes <= 6 << 20 })
            for cut in handler.cuts {
                guard case .cut(let bytes, .displaced) = cut else {
                    Issue.record("\(cut)")
                    continue
                }
                #expect(bytes < 5_000_000)
            }
        }
    }

    @Test func `that go are told of with what they took, and those that take all as well`() async throws {
        let budget = ByteBudget(24 << 20)
        try await Self.serving(budget, areProxies: false) { port, handler in
            do {
                let client = try RawClient(port: port, receiveBufferBytes: 4096)
                try client.send("GET /bytes/9000000 HTTP/1.1\r\nHost: h\r\n\r\n")
                _ = try client.receiveHead()
            }
            #expect(eventually { handler.cuts.count == 1 })
            guard case .cut(let bytes, .gone) = handler.cuts.first else {
                Issue.record("\(handler.cuts)")
                return
            }
            #expect(bytes < 9_000_000)
            let client = try RawClient(port: port)
            for size in [10, 90_000, 3_000_000] {
                #expect(try client.ask("GET /bytes/\(size) HTTP/1.1\r\nHost: h\r\n\r\n").body.count == size)
            }
            #expect(eventually { handler.ends.withLock { $0.count } == 4 })
            #expect(handler.cuts.count == 1)
        }
    }
}
