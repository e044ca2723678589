import JSONText
import Platform
import Testing
import WireTesting

@Suite struct `A write whose answer got lost` {
    private static let phone = "X-ZUMO-INSTALLATION-ID: 5d2c1f6e"

    private func with(
        on database: TestDatabase, lines: [String] = [], _ body: @escaping @Sendable (WireClient) throws -> Void
    ) async throws {
        try await TestServer.with(on: database, lines: lines) { server in
            try body(try WireClient(port: server.port))
        }
    }

    @Test(arguments: TestDatabase.all)
    func `is answered as the first time when it is sent again`(on database: TestDatabase) async throws {
        try await with(on: database) { client in
            var version = ""
            for table in ["todo", "hard"] {
                for (method, body, code) in [
                    ("POST", #"{"id":"a","title":"x"}"#, 201), ("DELETE", "", 200),
                ] {
                    let path = method == "POST" ? "/tables/\(table)" : "/tables/\(table)/a"
                    var fields = [Self.phone]
                    if method != "POST" { fields.append("If-Match: \(version)") }
                    let first = try client.exchange(method, path, body, fields)
                    #expect(first.code == code)
                    let again = try client.exchange(method, path, body, fields)
                    #expect(again.code == code && again.body == first.body)
                    #expect(again["ETag"] == first["ETag"] && again["Location"] == first["Location"])
                    version = try #require(first["ETag"])
                }
            }
        }
    }

    @Test(arguments: TestDatabase.all)
    func `is refused where its row was written since, or where another client sends it`(
        on database: TestDatabase
    ) async throws {
        try await with(on: database) { client in
            let body = #"{"id":"a","text":"x"}"#
            let first = try client.exchange("POST", "/tables/todo", body, [Self.phone])
            for fields in [[], ["X-ZUMO-INSTALLATION-ID: other"]] {
                #expect(try client.exchange("POST", "/tables/todo", body, fields).code == 409)
            }
            #expect(try client.exchange("POST", "/tables/todo", body + " ", [Self.phone]).code == 409)
            let fields = [Self.phone, "If-Match: \(try #require(first["ETag"]))"]
            let change = try client.exchange("PATCH", "/tables/todo/a", #"{"text":"y"}"#, fields)
            #expect(change.code == 200)
            let others = try client.exchange("PATCH", "/tables/todo/a", #"{"complete":true}"#)
            let refused = try client.exchange("PATCH", "/tables/todo/a", #"{"text":"y"}"#, fields)
            #expect(refused.code == 412 && refused.body == others.body)
        }
    }

    /// The requests of one change, and of an undelete and a replacement, by clients of both generations.
    private static let changes: [(method: String, version: String, body: String)] = [
        ("PATCH", "2.0.0", #"{"text":"y"}"#), ("PATCH", "3.0.0", #"{"text":"y"}"#),
        ("PUT", "3.0.0", #"{"id":"a","text":"y"}"#),
    ]

    @Test(arguments: changes, TestDatabase.all)
    func `is answered as the first time where it is a change and its client left before it was told`(
        _ change: (method: String, version: String, body: String), on database: TestDatabase
    ) async throws {
        try await TestServer.with(on: database) { server in
            let watcher = try WireClient(port: server.port)
            let made = try watcher.exchange("POST", "/tables/todo", #"{"id":"a","text":"x"}"#)
            let fields = [
                Self.phone, "ZUMO-API-VERSION: \(change.version)", "If-Match: \(try #require(made["ETag"]))",
            ]
            let request = WireClient.request(change.method, "/tables/todo/a", change.body, fields)
            try LeavingClient.send(request, to: server.port)
            var done = made
            while try done.row["text"]?.text != "y" { done = try watcher.exchange("GET", "/tables/todo/a") }
            // It is answered once more to the same client, and then that answer is the one that arrived.
            let again = try WireClient(port: server.port).exchange(change.method, "/tables/todo/a", change.body, fields)
            #expect(again.code == 200 && again["ETag"] == done["ETag"])
            for _ in 1...2 {
                let other = try WireClient(port: server.port)
                let refused = try other.exchange(change.method, "/tables/todo/a", change.body, fields)
                #expect(refused.code == 412 && refused["ETag"] == done["ETag"])
            }
        }
    }

    @Test(arguments: changes, TestDatabase.all)
    func `was not lost where its client has read it, however its connection ends`(
        _ change: (method: String, version: String, body: String), on database: TestDatabase
    ) async throws {
        try await TestServer.with(on: database) { server in
            let watcher = try WireClient(port: server.port)
            var tag = try #require(try watcher.exchange("POST", "/tables/todo", #"{"id":"a","text":"x"}"#)["ETag"])
            for end in [{ $0.breakOff() }, { $0.shutdownSending() }, { _ in }] as [(WireClient) -> Void] {
                let fields = [Self.phone, "ZUMO-API-VERSION: \(change.version)", "If-Match: \(tag)"]
                var winner: WireClient? = try WireClient(port: server.port)
                let won = try winner?.exchange(change.method, "/tables/todo/a", change.body, fields)
                #expect(won?.code == 200)
                if let winner { end(winner) }
                winner = nil
                for _ in 1...3 {
                    let other = try WireClient(port: server.port)
                    #expect(try other.exchange(change.method, "/tables/todo/a", change.body, fields).code == 412)
                }
                tag = try #require(won?["ETag"])
            }
        }
    }

    @Test(arguments: [false, true], TestDatabase.all)
    func `is won by one client where many share an installation, and no increment is lost`(
        theyLeave: Bool, on database: TestDatabase
    ) async throws {
        try await TestServer.with(on: database) { server in
            let start = try WireClient(port: server.port)
            _ = try start.exchange("POST", "/tables/todo", #"{"id":"a","count":0}"#)
            let port = server.port
            _ = try await inParallel(8) { _ in
                var client = try WireClient(port: port)
                for _ in 0..<10 {
                    try Self.increment(client)
                    if theyLeave { client = try WireClient(port: port) }
                }
            }
            #expect(try start.exchange("GET", "/tables/todo/a").row["count"] == 80)
        }
    }

    /// Adds one to the row's number, again from the start where another was faster.
    private static func increment(_ client: WireClient) throws {
        while true {
            let row = try client.exchange("GET", "/tables/todo/a")
            guard case .integer(let count)? = try row.row["count"] else { throw Lost() }
            let fields = [phone, "If-Match: \(row["ETag"] ?? "")"]
            let body = "{\"count\":\(count + 1)}"
            switch try client.exchange("PATCH", "/tables/todo/a", body, fields).code {
            case 200: return
            case 412: continue
            default: throw Lost()
            }
        }
    }

    private struct Lost: Error {}

    @Test(arguments: TestDatabase.all)
    func `is a new wish where nothing refuses it`(on database: TestDatabase) async throws {
        try await with(on: database) { client in
            for _ in 1...2 { _ = try client.exchange("POST", "/tables/todo", #"{"text":"x"}"#, [Self.phone]) }
            #expect(try client.exchange("GET", "/tables/todo").rows.count == 2)
            _ = try client.exchange("POST", "/tables/todo", #"{"id":"a","text":"x"}"#)
            for text in ["one", "two", "one"] {
                let row = try client.exchange("PATCH", "/tables/todo/a", "{\"text\":\"\(text)\"}", [Self.phone])
                #expect(try row.row["text"]?.text == text)
            }
            #expect(try client.exchange("GET", "/tables/todo/a").row["text"]?.text == "one")
        }
    }

    @Test(arguments: ["Repeatability-Request-ID", "Idempotency-Key"], TestDatabase.all)
    func `is done once where it says so, without an id too`(field: String, on database: TestDatabase) async throws {
        try await with(on: database) { client in
            for table in ["todo", "numbered"] {
                let path = "/tables/\(table)"
                let first = try client.exchange("POST", path, #"{"text":"x"}"#, [Self.phone, "\(field): one"])
                #expect(first.code == 201)
                let id = try #require(try first.row["id"]?.text)
                _ = try client.exchange("PATCH", "\(path)/\(id)", #"{"text":"z"}"#)
                let again = try client.exchange("POST", path, #"{"text":"x"}"#, [Self.phone, "\(field): one"])
                #expect(again.code == 201 && again.body == first.body && again["Location"] == first["Location"])
                for (body, mark) in [(#"{"text":"y"}"#, "one"), (#"{"text":"x"}"#, "two")] {
                    let other = try client.exchange("POST", path, body, [Self.phone, "\(field): \(mark)"])
                    #expect(try other.code == 201 && other.row["id"] != first.row["id"])
                }
                #expect(try client.exchange("GET", path).rows.count == 3)
            }
        }
    }

    @Test(arguments: TestDatabase.all)
    func `is like any other where repeatWindow is 0`(on database: TestDatabase) async throws {
        try await with(on: database, lines: ["repeatWindow: 0"]) { client in
            for code in [201, 409] {
                let answer = try client.exchange("POST", "/tables/todo", #"{"id":"a"}"#, [Self.phone])
                #expect(answer.code == code)
            }
        }
    }
}
