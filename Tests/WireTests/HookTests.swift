import Synchronization
import Testing
import WireTesting
import ZumodServer

/// What hooks were told of, in its order.
private final class Heard: Sendable {
    private let words = Mutex<[String]>([])

    var all: [String] { words.withLock { $0 } }

    func take(_ word: String) {
        words.withLock { $0.append(word) }
    }
}

@Suite struct `Hooks around the writes of a table` {
    private struct Mishap: Error {
        let secret = "password"
    }

    /// Hooks on `todo`, which note what they hear of in `hard`.
    private static func extensions() -> Extensions {
        var extensions = Extensions()
        extensions.table("TODO") { table in
            table.beforeInsert { change in
                if change.values["text"] == "bad" { throw Refusal(.conflict, "Not that text.") }
                if change.values["text"] == "mishap" { throw Mishap() }
                change.values["text"] = "\(change.values["text"]?.textValue ?? "-")!"
                change.values["by"] = .text(change.caller.user?.id ?? "nobody")
            }
            table.beforeInsert { change in change.values["complete"] = .boolean(change.id == "a") }
            table.beforeUpdate { change in
                guard let id = change.id, let row = try await change.tables["todo"].find(id) else { return }
                if row["text"] == "locked!" { throw Refusal(.forbidden, "Locked.") }
                change.values["was"] = row["text"]
            }
            table.beforeDelete { change in
                if change.id == "kept" { throw Refusal(.badRequest, "Kept.") }
            }
            table.beforeUndelete { change in
                if change.id == "gone" { throw Refusal(.gone, "Gone.") }
            }
            table.afterInsert(note)
            table.afterUpdate(note)
            table.afterDelete(note)
            table.afterUndelete(note)
        }
        return extensions
    }

    private static let note: TableHooks.After = { written in
        let title = "\(written.operation.rawValue) \(written.row.id ?? "")"
        try await written.tables["hard"].insert(["title": .text(title)])
        if written.row["text"] == "after!" { throw Mishap() }
        // To the table itself: hooks don't call hooks.
        if written.row["text"] == "again!" { try await written.tables[written.table].insert(["text": "again"]) }
    }

    private static func notes(_ client: WireClient) throws -> [String] {
        try client.exchange("GET", "/tables/hard?$orderby=createdAt").rows.map { $0["title"]?.text ?? "" }
    }

    @Test(arguments: TestDatabase.all)
    func `change and refuse what is written, and hear of it afterwards`(on database: TestDatabase) async throws {
        try await TestServer.with(on: database, lines: [APICaller.keys], extensions: Self.extensions()) { server in
            let client = try WireClient(port: server.port)
            let token = "X-ZUMO-AUTH: \(try APICaller.token("sid:1"))"
            let first = try client.exchange("POST", "/tables/todo", #"{"id":"a","text":"x"}"#, [token])
            #expect(first.code == 201)
            #expect(try first.row["text"] == "x!" && first.row["by"] == "sid:1" && first.row["complete"] == true)
            #expect(first["ETag"] != nil && first["Location"]?.hasSuffix("/tables/todo/a") == true)
            #expect(try client.exchange("GET", "/tables/todo/a").text == first.text)

            let refused = try client.exchange("POST", "/tables/todo", #"{"id":"b","text":"bad"}"#)
            #expect(refused.code == 409)
            #expect(refused.text == #"{"error":"Not that text.","message":"Not that text.","code":"refused"}"#)
            let failed = try client.exchange("POST", "/tables/todo", #"{"id":"b","text":"mishap"}"#)
            #expect(failed.code == 500 && !failed.text.contains("password"))
            #expect(try client.exchange("GET", "/tables/todo/b").code == 404)

            let updated = try client.exchange("PATCH", "/tables/todo/a", #"{"text":"locked!"}"#)
            #expect(try updated.row["was"] == "x!" && updated.row["text"] == "locked!")
            #expect(try client.exchange("PATCH", "/tables/todo/a", #"{"text":"y"}"#).code == 403)
            #expect(try client.exchange("PATCH", "/tables/todo/none", #"{"text":"y"}"#).code == 404)
            let tag = ["If-Match: \"AAAAAAAAAAA=\""]
            #expect(try client.exchange("DELETE", "/tables/todo/a", "", tag).code == 412)
            #expect(try client.exchange("DELETE", "/tables/todo/a").code == 200)
            #expect(try client.exchange("POST", "/tables/todo/a").code == 201)
            // No hook hears of what did not happen.
            #expect(try Self.notes(client) == ["insert a", "update a", "delete a", "undelete a"])
        }
    }

    @Test(arguments: TestDatabase.all)
    func `a row stays as it was where a hook says so`(on database: TestDatabase) async throws {
        try await TestServer.with(on: database, extensions: Self.extensions()) { server in
            let client = try WireClient(port: server.port)
            for id in ["kept", "gone"] {
                #expect(try client.exchange("POST", "/tables/todo", "{\"id\":\"\(id)\"}").code == 201)
            }
            #expect(try client.exchange("DELETE", "/tables/todo/kept").code == 400)
            #expect(try client.exchange("GET", "/tables/todo/kept").code == 200)
            #expect(try client.exchange("DELETE", "/tables/todo/gone").code == 200)
            #expect(try client.exchange("POST", "/tables/todo/gone").code == 410)
            #expect(try client.exchange("GET", "/tables/todo/gone").code == 404)
        }
    }

    /// Hooks on `todo` that keep what they are told of.
    private static func listening(
        before: Heard, after: Heard, _ change: @escaping TableHooks.Before = { _ in }
    ) -> Extensions {
        var extensions = Extensions()
        extensions.table("todo") { table in
            let ask: TableHooks.Before = { written in
                before.take("\(written.operation.rawValue) \(written.attempt)")
                try await change(&written)
            }
            let tell: TableHooks.After = { after.take($0.operation.rawValue) }
            table.beforeInsert(ask)
            table.beforeUpdate(ask)
            table.beforeDelete(ask)
            table.beforeUndelete(ask)
            table.afterInsert(tell)
            table.afterUpdate(tell)
            table.afterDelete(tell)
            table.afterUndelete(tell)
        }
        return extensions
    }

    private static let phone = "X-ZUMO-INSTALLATION-ID: 5d2c1f6e"

    @Test(arguments: TestDatabase.all)
    func `none runs for a request that is answered as the first time`(on database: TestDatabase) async throws {
        let (before, after) = (Heard(), Heard())
        let extensions = Self.listening(before: before, after: after) { $0.values["complete"] = true }
        try await TestServer.with(on: database, extensions: extensions) { server in
            let client = try WireClient(port: server.port)
            var version = ""
            for (method, path, body) in [
                ("POST", "/tables/todo", #"{"id":"a","text":"x"}"#), ("PATCH", "/tables/todo/a", #"{"text":"y"}"#),
                ("DELETE", "/tables/todo/a", ""), ("POST", "/tables/todo/a", ""),
            ] {
                let fields = [Self.phone] + (version.isEmpty ? [] : ["If-Match: \(version)"])
                let first = try client.exchange(method, path, body, fields)
                #expect(first.code < 300)
                version = try #require(first["ETag"])
                let again = try client.exchange(method, path, body, fields)
                // The first answer of a change has arrived, so that its repetition is a conflict with the row.
                #expect(again.code == (method == "PATCH" ? 412 : first.code) && again["ETag"] == version)
            }
            for (method, path, body) in [
                ("POST", "/tables/todo", #"{"text":"x"}"#), ("PATCH", "/tables/todo/a", #"{"text":"z"}"#),
                ("DELETE", "/tables/todo/a", ""), ("POST", "/tables/todo/a", ""),
            ] {
                let answers = try (1...2).map { _ in
                    try client.exchange(method, path, body, ["Idempotency-Key: \(method) \(path)"])
                }
                #expect(answers[0].code < 300 && answers[0].body == answers[1].body)
            }
        }
        let kinds = ["insert", "update", "delete", "undelete"]
        #expect(after.all == kinds + kinds)
        #expect(before.all == after.all.map { "\($0) 1" })
    }

    @Test(arguments: TestDatabase.all)
    func `none that comes after a write runs for its repetition, where none comes before`(
        on database: TestDatabase
    ) async throws {
        let heard = Heard()
        var extensions = Extensions()
        extensions.table("todo") { table in
            table.afterInsert { heard.take("insert \($0.row.id ?? "")") }
            table.afterDelete { heard.take("delete \($0.row.id ?? "")") }
        }
        try await TestServer.with(on: database, extensions: extensions) { server in
            let client = try WireClient(port: server.port)
            for fields in [[Self.phone], ["Idempotency-Key: one"]] {
                let id = fields == [Self.phone] ? "a" : "b"
                for _ in 1...2 {
                    #expect(try client.exchange("POST", "/tables/todo", "{\"id\":\"\(id)\"}", fields).code == 201)
                }
                for _ in 1...2 { #expect(try client.exchange("DELETE", "/tables/todo/\(id)", "", fields).code == 200) }
            }
        }
        #expect(heard.all == ["insert a", "delete a", "insert b", "delete b"])
    }

    @Test(arguments: TestDatabase.all)
    func `one before a write runs at each attempt, which it is told`(on database: TestDatabase) async throws {
        let (before, after) = (Heard(), Heard())
        let extensions = Self.listening(before: before, after: after) { change in
            guard change.operation == .update else { return }
            // Another write between the look at the row and the write itself.
            if change.attempt < 3 { try await change.tables["todo"].update("a", set: ["complete": true]) }
            change.values["text"] = "\(change.values["text"]?.textValue ?? "-")!"
        }
        try await TestServer.with(on: database, extensions: extensions) { server in
            let client = try WireClient(port: server.port)
            _ = try client.exchange("POST", "/tables/todo", #"{"id":"a","text":"x"}"#)
            let fields = ["ZUMO-API-VERSION: 3.0.0", "If-None-Match: \"AAAAAAAAAAA=\""]
            let answer = try client.exchange("PATCH", "/tables/todo/a", #"{"text":"y"}"#, fields)
            #expect(try answer.code == 200 && answer.row["text"] == "y!" && answer.row["complete"] == true)
        }
        #expect(before.all == ["insert 1", "update 1", "update 2", "update 3"])
        #expect(after.all == ["insert", "update"])
    }

    @Test func `a hook that fails after a write does not fail it`() async throws {
        try await TestServer.with(on: .sqlite, extensions: Self.extensions()) { server in
            let client = try WireClient(port: server.port)
            let response = try client.exchange("POST", "/tables/todo", #"{"id":"a","text":"after"}"#)
            #expect(response.code == 201)
            #expect(try client.exchange("GET", "/tables/todo/a").text == response.text)
        }
    }

    @Test func `what a hook writes runs no hooks`() async throws {
        try await TestServer.with(on: .sqlite, extensions: Self.extensions()) { server in
            let client = try WireClient(port: server.port)
            #expect(try client.exchange("POST", "/tables/todo", #"{"id":"a","text":"again"}"#).code == 201)
            let texts = try client.exchange("GET", "/tables/todo").rows.map { $0["text"]?.text ?? "" }
            #expect(Set(texts) == ["again!", "again"])
            #expect(try Self.notes(client) == ["insert a"])
        }
    }

    @Test func `the first generation is refused in its own form`() async throws {
        try await TestServer.with(on: .sqlite, extensions: Self.extensions()) { server in
            let response = try WireClient(port: server.port).exchange(
                "POST", "/tables/todo", #"{"id":"b","text":"bad"}"#, ["X-ZUMO-APPLICATION: a"])
            #expect(response.code == 409)
            #expect(response.text == #"{"code":409,"error":"Error: Not that text."}"#)
        }
    }

    @Test func `a handler's writes run the hooks`() async throws {
        var extensions = Self.extensions()
        extensions.api("add") { api in
            api.post { request in .json(row: try await request.tables["todo"].insert(["text": "x"])) }
            api.put { request in .json(row: try await request.tables["todo"].insert(["text": "bad"])) }
        }
        try await TestServer.with(on: .sqlite, extensions: extensions) { server in
            let client = try WireClient(port: server.port)
            #expect(try client.exchange("POST", "/api/add").row["text"] == "x!")
            let refused = try client.exchange("PUT", "/api/add")
            #expect(refused.code == 409)
            #expect(refused.text == #"{"error":"Not that text.","message":"Not that text.","code":"refused"}"#)
        }
    }
}
