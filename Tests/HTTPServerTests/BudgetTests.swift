import HTTPModel
import Synchronization
import Testing

@testable import HTTPServer

@Suite("The budget of buffered bytes", .everyTransport)
struct BudgetTests {
    static let get = "GET /a HTTP/1.1\r\nHost: h\r\n\r\n"

    /// Answers as all tests' servers do, and counts whom the server itself refuses.
    final class CountingHandler: HTTPHandler {
        let refusals = Atomic<Int>(0)

        func respond(to request: HTTPRequest) async -> HTTPResponse { await TestHandler().respond(to: request) }

        func response(to fault: HTTPFault, after request: HTTPRequest) -> HTTPResponse {
            refusals.add(1, ordering: .relaxed)
            return TestHandler().response(to: fault, after: request)
        }
    }

    static func serving(
        _ budget: ByteBudget, _ client: @escaping @Sendable (UInt16, CountingHandler) throws -> Void
    ) async throws {
        let handler = CountingHandler()
        let server = try Transport.server(handler: handler, budget: budget)
        let port = try server.start(host: "127.0.0.1", port: 0).port
        defer { server.stop() }
        try await blocking { try client(port, handler) }
        // Every way a request ended has given back what it held.
        #expect(eventually { budget.heldBytes == 0 })
    }

    @Test func `slow readers hold no more than the budget, and small requests are served beside them`() async throws {
        let budget = ByteBudget(32 << 20)
        try await Self.serving(budget) { port, _ in
            let readers = try (0..<20).map { _ in try RawClient(port: port, receiveBufferBytes: 4096) }
            for reader in readers { try reader.send("GET /bytes/4000000 HTTP/1.1\r\nHost: h\r\n\r\n") }
            let lines = try readers.map { try $0.receiveHead().statusLine }
            // Seven times four megabytes, rounded up, are what an eighth less than the budget has room for.
            #expect(lines.filter { $0.contains(" 200 ") }.count == 7)
            #expect(lines.filter { $0.contains(" 503 ") }.count == 13)
            #expect(budget.heldBytes <= 28 << 20)
            #expect(try RawClient(port: port).ask(Self.get).text == "/a")
            #expect(
                try RawClient(port: port).ask("GET /bytes/200000 HTTP/1.1\r\nHost: h\r\n\r\n").body.count == 200_000)
            // Room made is room.
            #expect(try readers[0].receiveSome().isEmpty == false)
        }
    }

    @Test func `bodies that wait hold no more than the budget, and one without room is refused at its head`()
        async throws
    {
        let budget = ByteBudget(4 << 20)
        let head = "POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 1048576\r\n\r\n"
        try await Self.serving(budget) { port, handler in
            let waiting = try (0..<40).map { _ in try RawClient(port: port) }
            for client in waiting {
                try? client.send(Array(head.utf8) + [UInt8](repeating: 120, count: 200_000))
            }
            #expect(eventually { handler.refusals.load(ordering: .relaxed) > 0 })
            let answer = try RawClient(port: port).ask(head)
            #expect(answer.statusLine == "HTTP/1.1 503 Service Unavailable")
            #expect(answer["Connection"] == "close")
            let expecting = try RawClient(port: port).ask(
                "POST /echo HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 1048576\r\n\r\n")
            #expect(expecting.statusLine == "HTTP/1.1 503 Service Unavailable")
            #expect(budget.heldBytes <= budget.limit)
            let small = try RawClient(port: port).ask(
                "POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc")
            #expect(small.text == "abc")
        }
    }

    @Test func `a chunked body that outgrows the budget is refused where it does`() async throws {
        try await Self.serving(ByteBudget(300 << 10)) { port, _ in
            let client = try RawClient(port: port)
            let chunk = "10000\r\n" + String(repeating: "x", count: 65_536) + "\r\n"
            let head = "POST /echo HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
            let sender = Sender(client, Array((head + String(repeating: chunk, count: 15)).utf8))
            #expect(try client.receiveAnswer().statusLine == "HTTP/1.1 503 Service Unavailable")
            sender.wait()
        }
    }

    @Test func `bytes are given back whether a client finishes, hangs up or is reset`() async throws {
        let budget = ByteBudget(64 << 20)
        try await Self.serving(budget) { port, _ in
            for round in 0..<30 {
                let client = try RawClient(port: port)
                switch round % 3 {
                case 0:
                    #expect(try client.ask("GET /bytes/1000000 HTTP/1.1\r\nHost: h\r\n\r\n").body.count == 1_000_000)
                case 1:
                    try client.send("GET /bytes/4000000 HTTP/1.1\r\nHost: h\r\n\r\n")
                    _ = try client.receiveHead()
                default:
                    try client.send("POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 500000\r\n\r\n")
                    try client.send([UInt8](repeating: 120, count: 200_000))
                    client.reset()
                }
            }
        }
    }

    @Test func `a large answer comes whole, also behind others of a pipeline`() async throws {
        try await Self.serving(ByteBudget(64 << 20)) { port, _ in
            let client = try RawClient(port: port)
            let large = "GET /bytes/3000000 HTTP/1.1\r\nHost: h\r\n\r\n"
            try client.send(Self.get + large + Self.get + large)
            for length in [2, 3_000_000, 2, 3_000_000] {
                #expect(try client.receiveAnswer().body.count == length)
            }
        }
    }

    @Test func `an eighth is kept for small requests, and the answer of a write that is done is refused last`() {
        let budget = ByteBudget(8 << 20)
        let large = ByteReservation(budget)
        #expect(!large.cover((7 << 20) + 1))
        #expect(large.cover(7 << 20))
        #expect(!budget.hasRoom(for: 300_000) && budget.hasRoom(for: 200_000))
        var small = (0..<4).map { _ in ByteReservation(budget) }
        for charge in small { #expect(charge.cover(256 << 10)) }
        #expect(!ByteReservation(budget).cover(20_000))
        #expect(ByteReservation(budget).cover(16_384))
        let written = ByteReservation(budget)
        #expect(written.coverDoneWrite(1 << 20) && !written.coverDoneWrite(2 << 20))
        #expect(budget.heldBytes == 9 << 20 && budget.highestBytes == 9 << 20)
        #expect(large.cover(0) && written.cover(0))
        small = []
        #expect(budget.heldBytes == 0)
    }
}
