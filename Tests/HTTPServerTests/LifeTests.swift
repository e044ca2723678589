import Platform
import Testing

@testable import HTTPServer

@Suite("Start, connection limit, drain and stop", .everyTransport)
struct LifeTests {
    static let get = "GET /a HTTP/1.1\r\nHost: h\r\n\r\n"

    @Test(arguments: [("127.0.0.1", "127.0.0.1"), ("localhost", "127.0.0.1"), ("0.0.0.0", "0.0.0.0"), ("::", "::")])
    func `the bound address and port are told`(host: String, expected: String) throws {
        let server = try Transport.server(handler: TestHandler())
        defer { server.stop() }
        let bound = try server.start(host: host, port: 0)
        #expect(bound.host == expected)
        #expect(bound.port != 0)
    }

    @Test func `a port in use is told so`() throws {
        let first = try Transport.server(handler: TestHandler())
        defer { first.stop() }
        let port = try first.start(host: "127.0.0.1", port: 0).port
        let second = try Transport.server(handler: TestHandler())
        #expect(throws: ServerError.portInUse(host: "127.0.0.1", port: port)) {
            try second.start(host: "127.0.0.1", port: port)
        }
    }

    @Test func `an address of another machine is told so`() throws {
        #expect(throws: ServerError.addressNotHere(host: "192.0.2.1")) {
            try Transport.server(handler: TestHandler()).start(host: "192.0.2.1", port: 0)
        }
    }

    @Test(arguments: ["", "no host at all", "999.1.1.1"])
    func `a host that does not exist is told so`(host: String) throws {
        let error = #expect(throws: ServerError.self) {
            try Transport.server(handler: TestHandler()).start(host: host, port: 0)
        }
        guard case .unknownHost(host, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `a server starts once`() throws {
        let server = try Transport.server(handler: TestHandler())
        _ = try server.start(host: "127.0.0.1", port: 0)
        #expect(throws: ServerError.alreadyStarted) { try server.start(host: "127.0.0.1", port: 0) }
        server.stop()
        #expect(throws: ServerError.alreadyStarted) { try server.start(host: "127.0.0.1", port: 0) }
    }

    @Test func `an error says what to do in plain English`() {
        #expect(
            ServerError.portInUse(host: "127.0.0.1", port: 80).description
                == "Port 80 on 127.0.0.1 is taken by another process. Stop that process or choose another port.")
        #expect(
            ServerError.system(call: "epoll_create1", code: 24).description
                == "The system refused epoll_create1: Too many open files (error 24).")
    }

    @Test func `one connection too many is 503 and room made is room`() async throws {
        var limits = ServerLimits.patient
        limits.connectionCount = 2
        let server = try Transport.server(handler: TestHandler(), limits: limits)
        let port = try server.start(host: "127.0.0.1", port: 0).port
        defer { server.stop() }
        try await blocking {
            let first = try RawClient(port: port)
            #expect(try first.ask(Self.get).text == "/a")
            do {
                let second = try RawClient(port: port)
                #expect(try second.ask(Self.get).text == "/a")
                try expectRefusal(of: RawClient(port: port), asking: Self.get)
                #expect(try second.ask(Self.get).text == "/a")
            }
            #expect(eventually { server.openConnections == 1 })
            #expect(try RawClient(port: port).ask(Self.get).text == "/a")
        }
    }

    @Test func `a drain closes what rests and lets a request in flight finish`() async throws {
        let handler = TestHandler()
        let server = try Transport.server(handler: handler)
        let port = try server.start(host: "127.0.0.1", port: 0).port
        let (resting, busy) = try await blocking {
            let resting = try RawClient(port: port)
            #expect(try resting.ask(Self.get).text == "/a")
            let busy = try RawClient(port: port)
            try busy.send("GET /gate HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(eventually { handler.gate.arrivals == 1 })
            return (resting, busy)
        }
        async let drained: Void = server.drain()
        try await blocking {
            #expect(try resting.receiveToEnd().isEmpty)
            #expect(throws: RawClient.Failure.self) { try RawClient(port: port) }
            handler.gate.open()
            let answer = try busy.receiveAnswer()
            #expect(answer.text == "/gate")
            #expect(answer["Connection"] == "close")
            #expect(try busy.receiveToEnd().isEmpty)
        }
        _ = (resting, busy)
        await drained
    }

    @Test func `who was just answered, and who waits to be accepted, is answered once more in a drain`() async throws {
        var limits = ServerLimits.patient
        // However long this takes on a busy machine, they were just answered.
        limits.drainRestTime = .seconds(120)
        let server = try Transport.server(handler: TestHandler(), limits: limits)
        let port = try server.start(host: "127.0.0.1", port: 0).port
        let clients = try await blocking {
            let clients = try (0..<20).map { _ in try RawClient(port: port) }
            for client in clients.prefix(10) { #expect(try client.ask(Self.get).text == "/a") }
            return clients
        }
        async let drained: Void = server.drain()
        try await blocking {
            #expect(eventually { (try? RawClient(port: port)) == nil })
            for client in clients {
                let answer = try client.ask(Self.get)
                #expect(answer.text == "/a" && answer["Connection"] == "close")
            }
        }
        await drained
    }

    @Test func `the loops wait by the way that was asked for`() async throws {
        let server = try Transport.server(handler: TestHandler())
        let port = try server.start(host: "127.0.0.1", port: 0).port
        defer { server.stop() }
        #expect(Set(server.pollings) == [Transport.current.polling])
        #expect(try await blocking { try RawClient(port: port).ask(Self.get).text } == "/a")
    }

    @Test func `other limits hold for new connections, and in open ones from the next request on`() async throws {
        let server = try Transport.server(handler: TestHandler())
        let port = try server.start(host: "127.0.0.1", port: 0).port
        try await blocking {
            let open = try RawClient(port: port)
            #expect(try open.ask(Self.get).text == "/a")
            var limits = ServerLimits.patient
            limits.bodyBytes = 10
            limits.connectionCount = 2
            server.change(to: limits)
            let post = "POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 11\r\n\r\n12345678901"
            #expect(try open.ask(post).statusLine.contains(" 413 "))
            #expect(eventually { server.openConnections == 0 })
            let kept = try (0..<2).map { _ in try RawClient(port: port) }
            for client in kept { #expect(try client.ask(Self.get).text == "/a") }
            #expect(try RawClient(port: port).ask(Self.get).statusLine.contains(" 503 "))
        }
        server.stop()
    }

    @Test func `a drain ends after its time although a handler never returns`() async throws {
        var limits = ServerLimits.patient
        limits.drainTime = .milliseconds(300)
        let handler = TestHandler()
        let server = try Transport.server(handler: handler, limits: limits)
        let port = try server.start(host: "127.0.0.1", port: 0).port
        let client = try await blocking {
            let client = try RawClient(port: port)
            try client.send("GET /gate HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(eventually { handler.gate.arrivals == 1 })
            return client
        }
        await server.drain()
        // Cut off, though the handler is still at work.
        #expect(try await blocking { try client.receiveToEnd() }.isEmpty)
        handler.gate.open()
        #expect(eventually { server.openConnections == 0 })
    }

    @Test func `a drain without connections, before a start and after a stop returns`() async throws {
        let unstarted = try Transport.server(handler: TestHandler())
        await unstarted.drain()
        #expect(throws: ServerError.alreadyStarted) { try unstarted.start(host: "127.0.0.1", port: 0) }
        let server = try Transport.server(handler: TestHandler())
        _ = try server.start(host: "127.0.0.1", port: 0)
        await server.drain()
        server.stop()
        await server.drain()
    }

    /// Whether the server ended the connection without another byte. Bytes that it had not read yet make it a reset.
    private static func isCutOff(_ client: RawClient) throws -> Bool {
        do {
            return try client.receiveToEnd().isEmpty
        } catch let failure as RawClient.Failure where failure.description == "recv: \(ECONNRESET)" {
            return true
        }
    }

    @Test func `a stop cuts off at once`() async throws {
        let server = try Transport.server(handler: TestHandler())
        let port = try server.start(host: "127.0.0.1", port: 0).port
        try await blocking {
            let resting = try RawClient(port: port)
            #expect(try resting.ask(Self.get).text == "/a")
            let halfway = try RawClient(port: port)
            try halfway.send("GET /a HT")
            server.stop()
            #expect(try Self.isCutOff(resting))
            #expect(try Self.isCutOff(halfway))
            #expect(eventually { server.openConnections == 0 })
            #expect(throws: RawClient.Failure.self) { try RawClient(port: port) }
        }
    }
}
