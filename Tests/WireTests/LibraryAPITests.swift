import Testing
import WireTesting
import ZumodServer

@Suite struct `APIs of a program's own` {
    private struct Order: Codable {
        let item: String
        let count: Int
    }

    private struct Mishap: Error {
        let secret = "password"
    }

    private static func extensions() -> Extensions {
        var extensions = Extensions()
        extensions.api("mirror") { api in
            api.get { request in
                .json([
                    "path": .array(request.path.map { .string($0) }), "name": .string(request.parameter("NAME") ?? "-"),
                    "field": .string(request.fields["X-Mine"] ?? "-"), "method": .string(request.method.name),
                ]).adding("X-Answer", "yes")
            }
            api.post { request in
                let order = try request.decoded(as: Order.self)
                return try .encoded(Order(item: order.item, count: order.count + 1), status: .created)
            }
            api.put { request in .json(try request.json()) }
            api.patch { _ in
                APIResponse.text("framed").adding("Content-Length", "1").adding("Transfer-Encoding", "chunked")
                    .adding("Connection", "close").adding("Cache-Control", "max-age=1")
            }
            api.delete { _ in .empty() }
        }
        extensions.api("fails") { api in
            api.get { _ in throw Refusal(.unprocessableContent, "Not \"that\".") }
            api.post { _ in throw Mishap() }
            api.put { request in
                try await request.tables["none"].insert(["a": 1])
                return .empty()
            }
        }
        return extensions
    }

    private static let answers: [(request: (String, String, String), code: Int, answer: String)] = [
        (("GET", "/api/mirror", ""), 200, #"{"path":[],"name":"-","field":"mine","method":"GET"}"#),
        (("GET", "/API/Mirror/", ""), 200, #"{"path":[],"name":"-","field":"mine","method":"GET"}"#),
        (
            ("GET", "/api/mirror/a/b%2Fc/?name=x%20y", ""), 200,
            #"{"path":["a","b/c"],"name":"x y","field":"mine","method":"GET"}"#
        ),
        (("POST", "/api/mirror", #"{"item":"x","count":1}"#), 201, ""),
        (("POST", "/api/mirror", #"{"item":"x"}"#), 400, "The body has no member 'count'."),
        (
            ("POST", "/api/mirror", #"{"item":"x","count":"1"}"#), 400,
            "The body's member 'count' is not of the right type."
        ),
        (("POST", "/api/mirror", "{"), 400, "The body is not valid JSON."),
        (("PUT", "/api/mirror", #"[1,{"a":null}]"#), 200, #"[1,{"a":null}]"#),
        (("PUT", "/api/mirror", "[1,"), 400, "The body is not valid JSON: it ends too early at byte 3."),
        (("DELETE", "/api/mirror", ""), 204, ""),
        (("GET", "/api/fails", ""), 422, #"Not \"that\"."#),
        (("POST", "/api/fails", ""), 500, "The server failed to answer."),
        (("PUT", "/api/fails", ""), 500, "The server failed to answer."),
        (("GET", "/api/none", ""), 404, "There is no API named 'none'."),
        (("GET", "/api", ""), 404, "There is no API named ''."),
        (("DELETE", "/api/fails", ""), 405, "DELETE is not possible here."),
        (("BREW", "/api/fails", ""), 405, "BREW is not possible here."),
    ]

    @Test(arguments: TestDatabase.all)
    func `answer requests, and errors in the form of the generation`(on database: TestDatabase) async throws {
        try await TestServer.with(on: database, extensions: Self.extensions()) { server in
            let client = try WireClient(port: server.port)
            for (request, code, answer) in Self.answers {
                let (method, target, body) = request
                let second = try client.exchange(method, target, body, ["X-Mine: mine"])
                #expect(second.code == code, "\(method) \(target)")
                if code >= 400 {
                    #expect(second.textWithoutCode == "{\"error\":\"\(answer)\",\"message\":\"\(answer)\"}")
                    #expect(second.hasCodeWhereItFails)
                    let first = try client.exchange(method, target, body, ["X-ZUMO-APPLICATION: a"])
                    let words = code == 500 ? "Internal Server Error" : answer
                    let expected = "{\"code\":\(code),\"error\":\"Error: \(words)\"}"
                    #expect(first.text == (code == 405 ? "" : expected))
                } else if !answer.isEmpty {
                    #expect(second.text == answer)
                }
                #expect(!second.text.contains("password"))
            }
        }
    }

    @Test func `a type of one's own is read and written`() async throws {
        try await TestServer.with(on: .sqlite, extensions: Self.extensions()) { server in
            let response = try WireClient(port: server.port).exchange(
                "POST", "/api/mirror", #"{"item":"x","count":1}"#)
            #expect(try response.json["count"] == 2)
            #expect(try response.json["item"] == "x")
        }
    }

    @Test func `an answer has the fields that are added, and the server frames it`() async throws {
        try await TestServer.with(on: .sqlite, extensions: Self.extensions()) { server in
            let client = try WireClient(port: server.port)
            let plain = try client.exchange("GET", "/api/mirror")
            #expect(plain["X-Answer"] == "yes")
            #expect(plain["Cache-Control"] == "no-cache")
            #expect(plain["X-Request-Id"] != nil)
            let framed = try client.exchange("PATCH", "/api/mirror")
            #expect(framed.text == "framed")
            #expect(framed["Transfer-Encoding"] == nil && framed["Connection"] == nil)
            #expect(framed.fields.filter { $0.name.lowercased() == "content-length" }.map(\.value) == ["6"])
            #expect(framed["Cache-Control"] == "max-age=1")
        }
    }

    @Test func `a handler that waits holds up nobody`() async throws {
        let gate = Gate()
        var extensions = Extensions()
        extensions.api("slow") { api in
            api.get { _ in
                await gate.wait()
                return .text("done")
            }
            api.post { _ in
                await gate.open()
                return .empty()
            }
        }
        try await TestServer.with(on: .sqlite, extensions: extensions) { server in
            let waiters = try (0..<64).map { _ in
                let client = try WireClient(port: server.port)
                try client.send(WireClient.request("GET", "/api/slow"))
                return client
            }
            let client = try WireClient(port: server.port)
            for number in 0..<50 {
                #expect(try client.exchange("POST", "/tables/todo", "{\"id\":\"\(number)\"}").code == 201)
                #expect(try client.exchange("GET", "/api/publicPermission").code == 200)
            }
            #expect(try client.exchange("POST", "/api/slow").code == 204)
            for waiter in waiters { #expect(try waiter.response().text == "done") }
        }
    }

    @Test func `a handler that blocks its thread does not block the tables`() async throws {
        let release = Blockade()
        var extensions = Extensions()
        extensions.api("blocking") { api in
            api.get { _ in
                release.block()
                return .text("done")
            }
        }
        try await TestServer.with(on: .sqlite, extensions: extensions) { server in
            let blocked = try WireClient(port: server.port)
            try blocked.send(WireClient.request("GET", "/api/blocking"))
            release.waitUntilBlocked()
            let client = try WireClient(port: server.port)
            for number in 0..<20 {
                #expect(try client.exchange("POST", "/tables/todo", "{\"id\":\"\(number)\"}").code == 201)
                #expect(try client.exchange("GET", "/tables/todo").code == 200)
            }
            release.lift()
            #expect(try blocked.response().text == "done")
        }
    }
}
