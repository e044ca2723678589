import Foundation
import HTTPServer
import Testing
import WireTesting

/// Short limits and generous bounds: what is tested is that the limit acts, and the right one.
@Suite("Time limits", .everyTransport)
struct TimeLimitTests {
    static let short = Duration.milliseconds(300)
    /// Where the client has to do something first, also on a machine with much else to do.
    static var fair: Duration { min(Patience.time(.milliseconds(1_500)), .seconds(8)) }
    static let get = "GET /a HTTP/1.1\r\nHost: h\r\n\r\n"

    @Test func `a head that does not end is 408`() async throws {
        try await serving(limits: { $0.headerTime = Self.fair }) { port in
            let client = try RawClient(port: port)
            let answer = try client.ask("GET /a HTTP/1.1\r\nHost: h\r\n")
            #expect(answer.statusLine == "HTTP/1.1 408 Request Timeout")
            #expect(answer["Connection"] == "close")
            #expect(try client.receiveToEnd().isEmpty)
        }
    }

    @Test func `a second head that does not end is 408 although the idle time is long`() async throws {
        try await serving(limits: { $0.headerTime = Self.fair }) { port in
            let client = try RawClient(port: port)
            #expect(try client.ask(Self.get).text == "/a")
            #expect(try client.ask("G").statusLine == "HTTP/1.1 408 Request Timeout")
        }
    }

    @Test func `bytes that trickle in do not renew the time of a head`() async throws {
        try await serving(limits: { $0.headerTime = Self.fair }) { port in
            let client = try RawClient(port: port)
            // For longer than the client waits.
            let trickle = Sender(client, [], pausing: Array(repeating: Array("G".utf8), count: 50_000))
            #expect(try client.receiveAnswer().statusLine == "HTTP/1.1 408 Request Timeout")
            trickle.wait()
        }
    }

    @Test func `a body that does not end is 408`() async throws {
        try await serving(limits: { $0.window = Self.short }) { port in
            let answer = try RawClient(port: port).ask("POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nab")
            #expect(answer.statusLine == "HTTP/1.1 408 Request Timeout")
        }
    }

    @Test func `a connection that never sends a byte is closed without a word`() async throws {
        try await serving(limits: { $0.headerTime = Self.short }) { port in
            let received = try RawClient(port: port).receiveToEnd()
            #expect(received.isEmpty)
        }
    }

    @Test(arguments: [[0.0, 1.6, 0, 2.2]])
    func `a connection that has rested for a while goes on`(pauses: [Double]) async throws {
        try await serving { port in
            let client = try RawClient(port: port)
            for pause in pauses {
                // What rests does so after a second; one that takes longer only makes the pause longer.
                Thread.sleep(forTimeInterval: pause)
                #expect(try client.ask(Self.get + Self.get).text == "/a")
                #expect(try client.receiveAnswer().text == "/a")
                let echo = "POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc"
                #expect(try client.ask(echo).text == "abc")
            }
            Thread.sleep(forTimeInterval: 1.6)
        }
    }

    @Test func `a connection at rest is closed without a word`() async throws {
        try await serving(limits: { $0.idleTime = Self.short }) { port in
            let client = try RawClient(port: port)
            #expect(try client.ask(Self.get).text == "/a")
            #expect(try client.receiveToEnd().isEmpty)
        }
    }

    @Test func `a client that does not take its answer is cut off`() async throws {
        var limits = ServerLimits.patient
        limits.sendStallTime = Self.short
        let server = try Transport.server(handler: TestHandler(), limits: limits)
        let port = try server.start(host: "127.0.0.1", port: 0).port
        defer { server.stop() }
        try await blocking {
            let client = try RawClient(port: port, receiveBufferBytes: 4096)
            #expect(eventually { server.openConnections == 1 })
            try client.send("GET /bytes/20000000 HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(eventually { server.openConnections == 0 })
            _ = client
        }
    }

    @Test func `a handler may take longer than every limit`() async throws {
        let handler = TestHandler()
        try await serving(
            handler,
            limits: {
                $0.window = .milliseconds(1)
                $0.sendStallTime = .milliseconds(1)
                $0.headerTime = Self.fair
            }
        ) { port in
            let client = try RawClient(port: port)
            try client.send("GET /gate HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(eventually { handler.gate.arrivals == 1 })
            // Another connection runs into its limit meanwhile, so at least one check has passed.
            #expect(try RawClient(port: port).receiveToEnd().isEmpty)
            handler.gate.open()
            #expect(try client.receiveAnswer().text == "/gate")
        }
    }
}
