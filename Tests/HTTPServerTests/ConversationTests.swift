import HTTPServer
import Testing

@Suite("A conversation over a socket", .everyTransport)
struct ConversationTests {
    static let get = "GET /a HTTP/1.1\r\nHost: h\r\n\r\n"

    @Test func `an answer has a status line, a Date, a Content-Length and no Connection field`() async throws {
        let answer = try await serving { port in try RawClient(port: port).ask(Self.get) }
        #expect(answer.statusLine == "HTTP/1.1 200 OK")
        #expect(answer["Content-Length"] == "2")
        #expect(answer["Date"]?.hasSuffix(" GMT") == true)
        #expect(answer["Date"]?.utf8.count == 29)
        #expect(answer["Connection"] == nil)
        #expect(answer["Transfer-Encoding"] == nil)
        #expect(answer.text == "/a")
    }

    @Test func `requests follow one another on one connection`() async throws {
        try await serving { port in
            let client = try RawClient(port: port)
            for number in 0..<50 {
                let answer = try client.ask("GET /\(number) HTTP/1.1\r\nHost: h\r\n\r\n")
                #expect(answer.text == "/\(number)")
            }
        }
    }

    @Test func `twenty thousand pipelined requests are answered in their order`() async throws {
        let count = 20_000
        try await serving { port in
            let client = try RawClient(port: port)
            let requests = (0..<count).map { "GET /\($0) HTTP/1.1\r\nHost: h\r\n\r\n" }.joined()
            let sender = Sender(client, Array(requests.utf8))
            var received: [UInt8] = []
            var next = 0
            while next < count {
                let some = try client.receiveSome()
                try #require(!some.isEmpty)
                received += some
                next += try Self.takeAnswers(from: &received, expecting: next)
            }
            #expect(received.isEmpty)
            sender.wait()
        }
    }

    @Test func `pipelined requests are answered to a client that reads only afterwards`() async throws {
        // The answers fill every buffer on the way, so the server has to wait for room and then go on reading.
        let count = 200
        try await serving { port in
            let client = try RawClient(port: port, receiveBufferBytes: 4096)
            let request = "GET /bytes/50000 HTTP/1.1\r\nHost: h\r\n\r\n"
            try client.send(String(repeating: request, count: count))
            for _ in 0..<count {
                #expect(try client.receiveAnswer().body.count == 50_000)
            }
        }
    }

    @Test(arguments: [1, 100, 1_000_000, 20_000_000]) func `a body of any size arrives whole`(size: Int) async throws {
        let body = try await serving { port in
            try RawClient(port: port).ask("GET /bytes/\(size) HTTP/1.1\r\nHost: h\r\n\r\n").body
        }
        #expect(body == [UInt8](repeating: 120, count: size))
    }

    @Test func `Connection close ends the connection after the answer`() async throws {
        let all = try await serving { port in
            let client = try RawClient(port: port)
            try client.send("GET /a HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n" + Self.get)
            return String(decoding: try client.receiveToEnd(), as: UTF8.self)
        }
        #expect(all.contains("\r\nConnection: close\r\n"))
        #expect(all.split(separator: "HTTP/1.1 ").count == 1)
    }

    @Test func `HTTP 1-0 closes after the answer`() async throws {
        let all = try await serving { port in
            let client = try RawClient(port: port)
            try client.send("GET /a HTTP/1.0\r\n\r\n")
            return String(decoding: try client.receiveToEnd(), as: UTF8.self)
        }
        #expect(all.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(all.contains("\r\nConnection: close\r\n"))
        #expect(all.hasSuffix("\r\n\r\n/a"))
    }

    @Test func `HTTP 1-0 keeps the connection when asked, and is told`() async throws {
        try await serving { port in
            let client = try RawClient(port: port)
            for _ in 0..<3 {
                let answer = try client.ask("GET /a HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n")
                #expect(answer["Connection"] == "keep-alive")
            }
        }
    }

    @Test func `HEAD is answered with the length of the body but without it`() async throws {
        try await serving { port in
            let client = try RawClient(port: port)
            try client.send("HEAD /bytes/77 HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(try client.receiveAnswer(toHead: true)["Content-Length"] == "77")
            #expect(try client.ask(Self.get).text == "/a")
        }
    }

    @Test func `204 has neither a body nor a Content-Length`() async throws {
        try await serving { port in
            let client = try RawClient(port: port)
            let answer = try client.ask("DELETE /nothing HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(answer.statusLine == "HTTP/1.1 204 No Content")
            #expect(answer["Content-Length"] == nil)
            #expect(try client.ask(Self.get).text == "/a")
        }
    }

    @Test func `a client that shuts its sending side still gets its answers`() async throws {
        let all = try await serving { port in
            let client = try RawClient(port: port)
            try client.send(Self.get + "GET /away HTTP/1.1\r\nHost: h\r\n\r\n")
            client.finishSending()
            return String(decoding: try client.receiveToEnd(), as: UTF8.self)
        }
        #expect(all.split(separator: "HTTP/1.1 ").count == 2)
        #expect(all.hasSuffix("/away"))
    }

    @Test func `a chunked body and a counted one arrive alike`() async throws {
        try await serving { port in
            let client = try RawClient(port: port)
            let chunked =
                "POST /echo HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "3;x=y\r\nabc\r\n2\r\nde\r\n0\r\nT: v\r\n\r\n"
            #expect(try client.ask(chunked).text == "abcde")
            #expect(try client.ask("POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nabcde").text == "abcde")
        }
    }

    @Test func `Expect 100-continue is answered before the body`() async throws {
        try await serving { port in
            let client = try RawClient(port: port)
            try client.send("PUT /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n")
            #expect(try client.receiveHead().statusLine == "HTTP/1.1 100 Continue")
            #expect(try client.ask("abc").text == "abc")
        }
    }

    @Test func `another expectation is 417 and closes`() async throws {
        try await serving { port in
            let client = try RawClient(port: port)
            let answer = try client.ask("PUT /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nExpect: tea\r\n\r\n")
            #expect(answer.statusLine == "HTTP/1.1 417 Expectation Failed")
            #expect(try client.receiveToEnd().isEmpty)
        }
    }

    @Test func `a malformed request gets its answer and the connection ends`() async throws {
        try await serving { port in
            let client = try RawClient(port: port)
            let answer = try client.ask(Self.get)
            #expect(answer.text == "/a")
            let refusal = try client.ask("GET /a b HTTP/1.1\r\nHost: h\r\n\r\n" + Self.get)
            #expect(refusal.statusLine == "HTTP/1.1 400 Bad Request")
            #expect(refusal["Connection"] == "close")
            #expect(try client.receiveToEnd().isEmpty)
        }
    }

    @Test(arguments: [
        ("GET /" + String(repeating: "a", count: 70_000) + " HTTP/1.1\r\nHost: h\r\n\r\n", "414 URI Too Long"),
        (
            "GET / HTTP/1.1\r\nHost: h\r\nA: " + String(repeating: "a", count: 40_000) + "\r\n\r\n",
            "431 Request Header Fields Too Large"
        ),
        (
            "GET / HTTP/1.1\r\nHost: h\r\n" + String(repeating: "A: b\r\n", count: 100) + "\r\n",
            "431 Request Header Fields Too Large"
        ),
        ("PUT / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n100001\r\n", "413 Content Too Large"),
        ("PUT / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip\r\n\r\n", "501 Not Implemented"),
        ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "505 HTTP Version Not Supported"),
        ("\u{16}\u{3}\u{1}\u{2}", "400 Bad Request"),
        ("GET / HTTP/1.1\r\n\r\n", "400 Bad Request"),
    ])
    func `a request that the server refuses gets its status and the handler's text`(
        request: String, status: String
    ) async throws {
        try await serving { port in
            let client = try RawClient(port: port)
            let answer = try client.ask(request)
            #expect(answer.statusLine == "HTTP/1.1 " + status)
            #expect(answer["Connection"] == "close")
            #expect(!answer.body.isEmpty)
            #expect(try client.receiveToEnd().isEmpty)
        }
    }

    @Test func `a declared body over the limit is refused unread, and the client can read so`() async throws {
        try await serving(limits: { $0.bodyBytes = 1000 }) { port in
            let client = try RawClient(port: port)
            try client.send("POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 9000000\r\n\r\n")
            try client.send([UInt8](repeating: 0, count: 9_000_000))
            let answer = try client.receiveAnswer()
            #expect(answer.statusLine == "HTTP/1.1 413 Content Too Large")
            #expect(answer["Connection"] == "close")
            #expect(try client.receiveToEnd().isEmpty)
        }
    }

    @Test func `bytes that arrive while a handler is suspended are served after it`() async throws {
        let handler = TestHandler()
        try await serving(handler) { port in
            let client = try RawClient(port: port)
            try client.send("GET /gate HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(eventually { handler.gate.arrivals == 1 })
            for number in 0..<20 { try client.send("GET /\(number) HTTP/1.1\r\nHost: h\r\n\r\n") }
            handler.gate.open()
            #expect(try client.receiveAnswer().text == "/gate")
            for number in 0..<20 { #expect(try client.receiveAnswer().text == "/\(number)") }
        }
    }

    @Test func `a reset while a handler is suspended ends the connection`() async throws {
        let handler = TestHandler()
        let server = try Transport.server(handler: handler)
        let port = try server.start(host: "127.0.0.1", port: 0).port
        defer { server.stop() }
        try await blocking {
            let client = try RawClient(port: port)
            try client.send("GET /gate HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(eventually { handler.gate.arrivals == 1 })
            client.reset()
            #expect(try RawClient(port: port).ask(Self.get).text == "/a")
            handler.gate.open()
            #expect(eventually { server.openConnections == 0 })
        }
    }

    @Test func `a reset in the middle of a large answer harms nobody else`() async throws {
        let server = try Transport.server(handler: TestHandler())
        let port = try server.start(host: "127.0.0.1", port: 0).port
        defer { server.stop() }
        try await blocking {
            let client = try RawClient(port: port, receiveBufferBytes: 4096)
            try client.send("GET /bytes/20000000 HTTP/1.1\r\nHost: h\r\n\r\n")
            _ = try client.receiveSome()
            client.reset()
            #expect(try RawClient(port: port).ask(Self.get).text == "/a")
            #expect(eventually { server.openConnections == 0 })
        }
    }

    @Test func `many connections are served side by side`() async throws {
        try await serving { port in
            let clients = try (0..<200).map { _ in try RawClient(port: port) }
            for client in clients { try client.send(Self.get) }
            for client in clients { #expect(try client.receiveAnswer().text == "/a") }
        }
    }

    @Test func `an IPv4 client of an IPv6 socket shows its IPv4 address`() async throws {
        let server = try Transport.server(handler: TestHandler())
        let port = try server.start(host: "::", port: 0).port
        defer { server.stop() }
        let answer = try await blocking { try RawClient(port: port).ask("GET /peer HTTP/1.1\r\nHost: h\r\n\r\n") }
        #expect(answer.text == "127.0.0.1")
    }

    @Test func `the peer's address comes with the request`() async throws {
        let answer = try await serving { port in
            try RawClient(port: port).ask("GET /peer HTTP/1.1\r\nHost: h\r\n\r\n")
        }
        #expect(answer.text == "127.0.0.1")
    }

    /// Takes whole answers off the front and checks that each carries its own number.
    private static func takeAnswers(from bytes: inout [UInt8], expecting first: Int) throws -> Int {
        var number = first
        var used = 0
        while let end = bytes[used...].firstRange(of: Array("\r\n\r\n".utf8)) {
            let length = "/\(number)".utf8.count
            guard end.upperBound + length <= bytes.count else { break }
            let body = bytes[end.upperBound..<(end.upperBound + length)]
            try #require(body.elementsEqual("/\(number)".utf8))
            used = end.upperBound + length
            number += 1
        }
        bytes.removeFirst(used)
        return number - first
    }
}
