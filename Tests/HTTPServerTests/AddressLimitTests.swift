import Testing

@testable import HTTPServer

@Suite("Connections per address", .everyTransport)
struct AddressLimitTests {
    static let get = "GET /a HTTP/1.1\r\nHost: h\r\n\r\n"

    private static func serving(
        isProxy: @escaping @Sendable (String) -> Bool = { _ in false },
        _ client: @escaping @Sendable (UInt16, HTTPServer) throws -> Void
    ) async throws {
        var limits = ServerLimits.patient
        limits.addressConnectionCount = 2
        limits.isProxy = isProxy
        let server = try Transport.server(handler: TestHandler(), limits: limits)
        let port = try server.start(host: "127.0.0.1", port: 0).port
        defer { server.stop() }
        try await blocking { try client(port, server) }
    }

    @Test func `one too many is 503, other addresses are served, and room made is room`() async throws {
        try await Self.serving { port, server in
            let first = try RawClient(port: port)
            #expect(try first.ask(Self.get).text == "/a")
            do {
                let second = try RawClient(port: port)
                #expect(try second.ask(Self.get).text == "/a")
                try expectRefusal(of: RawClient(port: port), asking: Self.get)
                #expect(try RawClient(port: port, from: "127.0.0.2").ask(Self.get).text == "/a")
            }
            #expect(eventually { server.openConnections == 1 })
            #expect(eventually { (try? RawClient(port: port).ask(Self.get).text) == "/a" })
        }
    }

    @Test func `a flood of one address leaves room for others, and no trace`() async throws {
        try await Self.serving { port, server in
            do {
                let flood = try (0..<200).map { _ in try RawClient(port: port) }
                #expect(eventually { server.openConnections <= 2 + 16 })
                #expect(try RawClient(port: port, from: "127.0.0.2").ask(Self.get).text == "/a")
                _ = flood
            }
            #expect(eventually { server.openConnections == 0 })
            #expect(eventually { (try? RawClient(port: port).ask(Self.get).text) == "/a" })
        }
    }

    @Test func `those of a proxy are not counted`() async throws {
        try await Self.serving(isProxy: { $0 == "127.0.0.1" }) { port, _ in
            let clients = try (0..<5).map { _ in try RawClient(port: port) }
            for client in clients { #expect(try client.ask(Self.get).text == "/a") }
        }
    }

    @Test func `an address without connections takes no room in the count`() {
        let counts = AddressCounts()
        let blocks: [AddressCounts.Block] = [.version4(1), .version6(1)]
        for block in blocks { #expect(counts.enter(block) == 1 && counts.enter(block) == 2) }
        #expect(counts.blockCount == 2)
        for block in blocks + blocks + blocks { counts.leave(block) }
        #expect(counts.blockCount == 0)
    }
}
