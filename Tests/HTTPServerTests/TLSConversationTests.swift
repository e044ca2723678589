import Foundation
import HTTPServer
import Synchronization
import TLS
import Testing
import WireTesting

/// What is particular to TLS. The other suites say the rest, where they run with `ZUMOD_TEST_TLS`.
@Suite("Conversations by TLS", .everyTransport)
struct TLSConversationTests {
    private static let get = "GET /a HTTP/1.1\r\nHost: h\r\n\r\n"

    @Test func `who speaks plain HTTP is told so, and counted`() async throws {
        try await serving { port, failures in
            let client = try RawClient(port: port, isSecured: false)
            let answer = try client.ask(Self.get)
            #expect(answer.statusLine == "HTTP/1.1 400 Bad Request")
            #expect(answer.text.contains("https"))
            #expect(try client.receiveToEnd().isEmpty)
            #expect(failures.all == [.plainHTTP])
        }
    }

    @Test func `garbage ends the connection with an alert, and its reason is told`() async throws {
        try await serving { port, failures in
            let client = try RawClient(port: port, isSecured: false)
            try client.send([22, 3, 1, 0, 5] + Array("hello".utf8))
            // An alert is a record of type 21.
            #expect(try client.receiveToEnd().first == 21)
            guard case .protocolError(let reason)? = failures.all.first else { throw TLSFault.plainHTTP }
            #expect(!reason.isEmpty)
        }
    }

    @Test func `a handshake that never ends is cut after the time of a head`() async throws {
        try await serving(limits: { $0.headerTime = TimeLimitTests.fair }) { port, _ in
            let client = try RawClient(port: port, isSecured: false)
            // The beginning of a record that is longer.
            try client.send([22, 3, 1, 2, 0, 1])
            #expect(try client.receiveToEnd().isEmpty)
        }
    }

    @Test func `trickling bytes don't renew the time of a handshake`() async throws {
        try await serving(limits: { $0.headerTime = TimeLimitTests.fair }) { port, _ in
            let client = try RawClient(port: port, isSecured: false)
            // The largest record, which takes longer than the client waits.
            let trickle = Sender(client, [22, 3, 1, 63, 255], pausing: Array(repeating: [0], count: 16_000))
            _ = try? client.receiveToEnd()
            trickle.wait()
            #expect(trickle.wasCut)
        }
    }

    @Test func `one that is one too many is told so after the handshake`() async throws {
        try await serving(limits: { $0.connectionCount = 1 }) { port, _ in
            let first = try RawClient(port: port, isSecured: true)
            #expect(try first.ask(Self.get).text == "/a")
            try expectRefusal(of: RawClient(port: port, isSecured: true), asking: Self.get)
            #expect(try first.ask(Self.get).text == "/a")
        }
    }

    @Test func `the end of a conversation is said`() async throws {
        try await serving(limits: { $0.idleTime = TimeLimitTests.short }) { port, _ in
            for closing in ["Connection: close\r\n", ""] {
                let client = try RawClient(port: port, isSecured: true)
                #expect(try client.ask("GET /a HTTP/1.1\r\nHost: h\r\n\(closing)\r\n").text == "/a")
                #expect(try client.receiveToEnd().isEmpty)
                #expect(client.wasToldOfTheEnd)
            }
        }
    }

    @Test(arguments: ["", "GET /a HTTP/1.1\r\n", "POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nab"])
    func `a goodbye in the middle of a request ends the connection at once, and is answered`(part: String) async throws
    {
        try await serving { port, _ in
            let client = try RawClient(port: port, isSecured: true)
            #expect(try client.ask(Self.get).text == "/a")
            let start = ContinuousClock.now
            try client.sendLast(part)
            #expect(try client.receiveToEnd().isEmpty)
            #expect(client.wasToldOfTheEnd)
            #expect(ContinuousClock.now - start < Patience.time(.seconds(5)))
        }
    }

    @Test func `a goodbye behind a request does not cost its answer`() async throws {
        try await serving { port, _ in
            for closing in ["", "Connection: close\r\n"] {
                let client = try RawClient(port: port, receiveBufferBytes: 4_096, isSecured: true)
                try client.sendLast("GET /bytes/3000000 HTTP/1.1\r\nHost: h\r\n\(closing)\r\n")
                #expect(try client.receiveAnswer().body.count == 3_000_000)
                #expect(try client.receiveToEnd().isEmpty)
                #expect(client.wasToldOfTheEnd)
            }
        }
    }

    @Test func `a goodbye while the answer is sent does not cost the rest of it`() async throws {
        try await serving { port, _ in
            let client = try RawClient(port: port, receiveBufferBytes: 4_096, isSecured: true)
            try client.send("GET /bytes/20000000 HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
            let (_, fields) = try client.receiveHead()
            #expect(fields.contains("Content-Length: 20000000"))
            try client.sendLast("")
            #expect(try client.receiveToEnd().count == 20_000_000)
        }
    }

    @Test func `a large answer reaches a client that takes little at a time`() async throws {
        try await serving { port, _ in
            let client = try RawClient(port: port, receiveBufferBytes: 4_096, isSecured: true)
            try client.send("GET /bytes/3000000 HTTP/1.1\r\nHost: h\r\n\r\n" + Self.get)
            usleep(100_000)
            #expect(try client.receiveAnswer().body == [UInt8](repeating: 120, count: 3_000_000))
            #expect(try client.receiveAnswer().text == "/a")
        }
    }

    @Test func `an altered record ends the connection, and what it brought isn't handled`() async throws {
        try await serving { port, failures in
            let client = try RawClient(port: port, isSecured: true)
            #expect(try client.ask(Self.get).text == "/a")
            try client.sendAltered(Self.get)
            // An alert, but no answer.
            #expect(throws: (any Error).self) { try client.receiveAnswer() }
            #expect(eventually { failures.all.count == 1 })
        }
    }

    @Test func `another certificate is shown to new connections, and open ones go on`() async throws {
        let server = HTTPServer(
            handler: TestHandler(), identity: try Transport.identity(of: "server"), polling: Transport.current.polling)
        let port = try server.start(host: "127.0.0.1", port: 0).port
        defer { server.stop() }
        let renewed = try Transport.identity(of: "renewed")
        try await blocking {
            let old = try RawClient(port: port, isSecured: true)
            #expect(try old.ask(Self.get).text == "/a")
            server.change(to: renewed)
            let new = try RawClient(port: port, isSecured: true)
            #expect(try new.ask(Self.get).text == "/a")
            #expect(try old.ask(Self.get).text == "/a")
            #expect(old.serverCertificate != nil && old.serverCertificate != new.serverCertificate)
        }
    }

    /// Serves by TLS, and gathers on what it failed.
    private func serving(
        limits: (inout ServerLimits) -> Void = { _ in }, _ client: @escaping @Sendable (UInt16, Failures) throws -> Void
    ) async throws {
        var chosen = ServerLimits.patient
        limits(&chosen)
        let failures = Failures()
        let server = HTTPServer(
            handler: TestHandler(), limits: chosen, identity: try Transport.identity(of: "server"),
            polling: Transport.current.polling
        ) { peer, fault in
            #expect(peer == "127.0.0.1")
            failures.note(fault)
        }
        let port = try server.start(host: "127.0.0.1", port: 0).port
        defer { server.stop() }
        try await blocking { try client(port, failures) }
    }
}

private final class Failures: Sendable {
    private let faults = Mutex<[TLSFault]>([])

    var all: [TLSFault] { faults.withLock { $0 } }

    func note(_ fault: TLSFault) {
        faults.withLock { $0.append(fault) }
    }
}
