import HTTPModel
import HTTPServer
import Testing

@Suite("Streams that break off, and clients that don't read them", .everyTransport)
struct BrokenStreamTests {
    private static func get(_ target: String, version: String = "1.1") -> String {
        "GET \(target) HTTP/\(version)\r\nHost: h\r\n\r\n"
    }

    @Test(arguments: [
        ("/broken", "3\r\none\r\n", "Broken()"),
        ("/short", "onetwo", "the stream has 1 bytes fewer than the 7 that were announced"),
        ("/long", "one", "the stream has more than the 5 bytes that were announced"),
    ])
    func `one that fails is cut where it stands, the handler is told, and its answer has not arrived`(
        target: String, part: String, reason: String
    ) async throws {
        let handler = StreamHandler()
        try await serving(handler) { port in
            let client = try RawClient(port: port)
            try client.send(Self.get(target))
            _ = try client.receiveHead()
            #expect(try client.receiveToEnd() == Array(part.utf8))
            #expect(!client.wasToldOfTheEnd)
            #expect(handler.breaks == ["\(target): \(reason)"])
            // The connection may be told of its end a moment later.
            #expect(eventually { handler.tickets.first?.giveUp() == true })
        }
    }

    @Test func `one that fails is no whole to HTTP 1.0, where the end is that of the connection`() async throws {
        try await serving(StreamHandler()) { port in
            let client = try RawClient(port: port)
            try client.send(Self.get("/broken", version: "1.0"))
            #expect(client.receiveToCut().wasReset)
        }
    }

    @Test func `one whose client takes nothing is cut off, and the handler is told`() async throws {
        let handler = StreamHandler()
        try await serving(handler, limits: { $0.sendStallTime = .milliseconds(500) }) { port in
            let client = try RawClient(port: port, receiveBufferBytes: 4096)
            try client.send(Self.get("/endless"))
            #expect(eventually { !handler.breaks.isEmpty })
            #expect(handler.breaks == ["/endless: the client takes its answer too slowly"])
        }
    }

    @Test func `one that ends well has arrived`() async throws {
        let handler = StreamHandler()
        let server = try Transport.server(handler: handler)
        let port = try server.start(host: "127.0.0.1", port: 0).port
        defer { server.stop() }
        try await blocking {
            for target in ["/words", "/known", "/whole"] {
                let client = try RawClient(port: port)
                try client.send("GET \(target) HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
                #expect(try !client.receiveToEnd().isEmpty)
            }
            #expect(eventually { server.openConnections == 0 })
            #expect(handler.tickets.count == 3)
            for ticket in handler.tickets { #expect(!ticket.giveUp()) }
            // What a producer does behind the last byte that it announced is nothing to the client.
            #expect(handler.breaks.isEmpty)
        }
    }

    @Test(arguments: ["reset", "close", "half"])
    func `a client that goes during a silence is noticed, and the producer cancelled`(way: String) async throws {
        let handler = StreamHandler()
        let server = try Transport.server(handler: handler)
        let port = try server.start(host: "127.0.0.1", port: 0).port
        defer { server.stop() }
        try await blocking {
            var client: RawClient? = try RawClient(port: port)
            try client?.send(Self.get("/silent"))
            _ = try client?.receiveHead()
            #expect(eventually { handler.asked.value == 2 })
            switch way {
            case "reset": client?.reset()
            case "close": client = nil
            default: client?.finishSending()
            }
            #expect(eventually { handler.cancellations.value == 1 && server.openConnections == 0 })
            // That is no failure of the server's.
            #expect(handler.breaks.isEmpty)
        }
    }

    @Test func `who has only shut the sending side gets a stream that isn't silent`() async throws {
        try await serving(StreamHandler()) { port in
            let client = try RawClient(port: port)
            try client.send(Self.get("/large"))
            client.finishSending()
            _ = try client.receiveHead()
            #expect(try client.receiveToEnd().count == 10 * 300_009 + 5)
        }
    }

    @Test func `a client that goes while it is sent much is noticed`() async throws {
        let handler = StreamHandler()
        let server = try Transport.server(handler: handler)
        let port = try server.start(host: "127.0.0.1", port: 0).port
        defer { server.stop() }
        try await blocking {
            let client = try RawClient(port: port)
            try client.send(Self.get("/endless"))
            _ = try client.receive(2_000_000)
            client.reset()
            #expect(eventually { server.openConnections == 0 })
            #expect(handler.breaks.isEmpty)
        }
    }

    @Test func `a client that doesn't read is waited for, and the next buffer is asked for when it reads`() async throws
    {
        let handler = StreamHandler()
        let budget = ByteBudget(32 << 20)
        let server = try Transport.server(handler: handler, budget: budget)
        let port = try server.start(host: "127.0.0.1", port: 0).port
        defer { server.stop() }
        try await blocking {
            var client: RawClient? = try RawClient(port: port, receiveBufferBytes: 4096)
            try client?.send(Self.get("/endless"))
            let asked = try #require(Self.settled { handler.asked.value })
            // The system takes some megabytes; the rest of one buffer waits here, and is counted.
            #expect((1...100).contains(asked))
            #expect(eventually { (1...ByteReservation.step * 6).contains(budget.heldBytes) })
            #expect(
                eventually {
                    _ = try? client?.receive(100_000)
                    return handler.asked.value > asked
                })
            client = nil
            #expect(eventually { server.openConnections == 0 && budget.heldBytes == 0 })
        }
    }

    @Test func `a client that doesn't read at all is cut off`() async throws {
        let handler = StreamHandler()
        var limits = ServerLimits.patient
        limits.sendStallTime = TimeLimitTests.short
        let server = try Transport.server(handler: handler, limits: limits)
        let port = try server.start(host: "127.0.0.1", port: 0).port
        defer { server.stop() }
        try await blocking {
            let client = try RawClient(port: port, receiveBufferBytes: 4096)
            try client.send(Self.get("/endless"))
            #expect(eventually { handler.asked.value > 0 && server.openConnections == 0 })
            _ = client
        }
    }

    @Test func `a buffer without room in the budget cuts the stream`() async throws {
        let handler = StreamHandler()
        let server = try Transport.server(handler: handler, budget: ByteBudget(200 << 10))
        let port = try server.start(host: "127.0.0.1", port: 0).port
        defer { server.stop() }
        try await blocking {
            let client = try RawClient(port: port)
            try client.send(Self.get("/large"))
            _ = try client.receiveHead()
            #expect(try client.receiveToEnd().isEmpty)
            #expect(handler.breaks.first?.hasPrefix("/large: the stream's next buffer has no room") == true)
        }
    }

    @Test func `a drain lets a stream come to its end`() async throws {
        let handler = StreamHandler()
        let server = try Transport.server(handler: handler)
        let port = try server.start(host: "127.0.0.1", port: 0).port
        let client = try await blocking {
            let client = try RawClient(port: port)
            try client.send(Self.get("/gated"))
            #expect(eventually { handler.gate.arrivals == 1 })
            return client
        }
        async let drained: Void = server.drain()
        try await blocking {
            #expect(eventually { (try? RawClient(port: port)) == nil })
            handler.gate.open()
            _ = try client.receiveHead()
            #expect(try client.receiveToEnd() == Array("3\r\none\r\n3\r\ntwo\r\n0\r\n\r\n".utf8))
        }
        await drained
    }

    @Test(arguments: ["1.0", "1.1"])
    func `a drain ends after its time although a stream doesn't, whose producer is cancelled`(version: String)
        async throws
    {
        let handler = StreamHandler()
        var limits = ServerLimits.patient
        limits.drainTime = TimeLimitTests.short
        let server = try Transport.server(handler: handler, limits: limits)
        let port = try server.start(host: "127.0.0.1", port: 0).port
        let client = try await blocking {
            let client = try RawClient(port: port)
            try client.send(Self.get("/silent", version: version))
            _ = try client.receiveHead()
            #expect(eventually { handler.asked.value == 2 })
            return client
        }
        await server.drain()
        try await blocking {
            let (_, wasReset) = client.receiveToCut()
            #expect(wasReset == (version == "1.0"))
            #expect(eventually { handler.cancellations.value == 1 && server.openConnections == 0 })
        }
    }

    /// The number that doesn't change any more.
    private static func settled(_ number: () -> Int) -> Int? {
        var last = (value: 0, looks: 0)
        let isSettled = eventually {
            let value = number()
            last = value == last.value ? (value, last.looks + 1) : (value, 0)
            return value > 0 && last.looks == 60
        }
        return isSettled ? last.value : nil
    }
}
