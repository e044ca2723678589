import JSONText
import Testing
import WireTesting

@Suite struct `One connection` {
    @Test(arguments: TestDatabase.all)
    func `answers pipelined requests in their order`(on database: TestDatabase) async throws {
        try await TestServer.with(on: database) { server in
            let client = try WireClient(port: server.port)
            var text = ""
            for number in 0..<100 {
                text += WireClient.request("POST", "/tables/todo", "{\"id\":\"k\(number)\",\"text\":\"\(number)\"}")
                text += WireClient.request("GET", "/tables/todo/k\(number)")
                text += WireClient.request("GET", "/tables/todo?$select=id&$filter=text eq '\(number)'")
            }
            try client.send(text)
            for number in 0..<100 {
                let inserted = try client.response()
                #expect(inserted.code == 201)
                #expect(try client.response().body == inserted.body)
                #expect(try client.response().text == "[{\"id\":\"k\(number)\"}]")
            }
        }
    }

    @Test(arguments: TestDatabase.all)
    func `is usable after every refused request that HTTP lets it survive`(on database: TestDatabase) async throws {
        try await TestServer.with(on: database) { server in
            let client = try WireClient(port: server.port)
            let refused: [(Int, String, String, String, [String])] = [
                (400, "POST", "/tables/todo", "{\"text\":", []),
                (400, "POST", "/tables/todo", "[]", []),
                (400, "GET", "/tables/todo?$filter=(((", "", []),
                (400, "GET", "/tables/todo/%zz", "", []),
                (400, "POST", "/tables/todo", "{\"id\":\"a/b\"}", []),
                (400, "GET", "/tables/todo", "", ["ZUMO-API-VERSION: apples"]),
                (404, "GET", "/tables/nothing", "", []),
                (404, "PATCH", "/tables/todo/k", "{}", []),
                (405, "PUT", "/tables/todo/k", "{\"text\":\"tea\"}", []),
                (415, "POST", "/tables/todo", "<row/>", ["Content-Type: text/xml"]),
            ]
            for (code, method, target, body, fields) in refused {
                let response = try client.exchange(method, target, body, fields)
                #expect(response.code == code, "\(method) \(target)")
                #expect(response["Connection"] == nil)
                let error = try response.row["error"]?.text ?? ""
                #expect(!error.isEmpty)
                #expect(try response.row["message"]?.text == error)
                #expect(try client.exchange("GET", "/tables/todo").text == "[]", "\(method) \(target)")
            }
            #expect(try client.exchange("POST", "/tables/todo", #"{"id":"k"}"#).code == 201)
        }
    }

    @Test(arguments: TestDatabase.all)
    func `takes a body of a mebibyte`(on database: TestDatabase) async throws {
        try await TestServer.with(on: database) { server in
            let client = try WireClient(port: server.port)
            let filler = String(repeating: "a", count: (1 << 20) - #"{"id":"k","text":""}"#.utf8.count)
            let response = try client.exchange("POST", "/tables/todo", "{\"id\":\"k\",\"text\":\"\(filler)\"}")
            #expect(response.code == 201)
            #expect(try client.exchange("GET", "/tables/todo/k").row["text"] == .string(filler))
        }
    }

    @Test(arguments: ["Content-Length: 1048577", "Transfer-Encoding: chunked"], TestDatabase.all)
    func `answers a larger body with 413 and closes`(_ framing: String, on database: TestDatabase) async throws {
        try await TestServer.with(on: database) { server in
            let client = try WireClient(port: server.port)
            try client.send(
                "POST /tables/todo HTTP/1.1\r\nHost: localhost\r\n\(framing)\r\n\r\n"
                    + (framing.hasPrefix("T") ? "100001\r\n" : ""))
            let response = try client.response()
            #expect(response.status == "413 Content Too Large")
            #expect(response["Connection"] == "close")
            #expect(try response.row["error"]?.text == "The body is larger than 1048576 bytes.")
            #expect(client.isClosedByServer())
            let other = try WireClient(port: server.port)
            #expect(try other.exchange("GET", "/tables/todo").text == "[]")
        }
    }

    private static let malformed = [
        "NONSENSE\r\n\r\n", "GET /tables/todo HTTP/1.1\r\n\r\n",
        "GET /tables/todo HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        "POST /tables/todo HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n",
        "POST /tables/todo HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
    ]

    @Test(arguments: malformed, TestDatabase.all)
    func `answers a malformed request with 400 and closes`(_ text: String, on database: TestDatabase) async throws {
        try await TestServer.with(on: database) { server in
            let client = try WireClient(port: server.port)
            try client.send(text)
            let response = try client.response()
            #expect(response.status == "400 Bad Request")
            #expect(try response.row["error"]?.text?.isEmpty == false)
            #expect(client.isClosedByServer())
        }
    }

    @Test(arguments: TestDatabase.all)
    func `still gets its answer after the client has shut its sending side`(on database: TestDatabase) async throws {
        try await TestServer.with(on: database) { server in
            let client = try WireClient(port: server.port)
            try client.send(WireClient.request("POST", "/tables/todo", #"{"id":"k","text":"tea"}"#))
            client.shutdownSending()
            #expect(try client.response().code == 201)
            #expect(client.isClosedByServer())
        }
    }

    @Test(arguments: TestDatabase.all)
    func `gives every answer an id, the server's version and its length`(on database: TestDatabase) async throws {
        try await TestServer.with(on: database) { server in
            let client = try WireClient(port: server.port)
            var ids: Set<String> = []
            for target in ["/tables/todo", "/tables/todo/k", "/nothing", "/tables/todo/%zz"] {
                let response = try client.exchange("GET", target)
                ids.insert(response["X-Request-Id"] ?? "")
                #expect(response["x-zumo-server-version"]?.hasPrefix("zumod-") == true)
                #expect(response["Content-Length"] == String(response.body.count))
                #expect(response["Transfer-Encoding"] == nil)
                #expect(response["ETag"] == nil)
            }
            #expect(ids.count == 4)
        }
    }
}
