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
                    ("POST", #"{"id":"a","title":"x"}"#, 201), ("PATCH", #"{"title":"y"}"#, 200), ("DELETE", "", 200),
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
