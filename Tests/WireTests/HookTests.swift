import Testing
import WireTesting
import ZumodServer

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
            #expect(refused.text == #"{"error":"Not that text.","message":"Not that text."}"#)
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
            #expect(refused.text == #"{"error":"Not that text.","message":"Not that text."}"#)
        }
    }
}
