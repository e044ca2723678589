import JSONText
import Testing
import WireTesting
import ZumodServer

@Suite struct `Rules on rows` {
    private static let master = ["X-ZUMO-MASTER: master"]

    /// A server with a table whose file begins with the usual rule.
    private static func with(
        _ lines: String = "", on database: TestDatabase, extensions: Extensions = Extensions(),
        _ body: @escaping @Sendable (WireClient, _ alice: [String], _ bob: [String]) async throws -> Void
    ) async throws {
        let file = """
            columns: { text: string, ownerId: string, shared: boolean }
            visible: "ownerId eq @userId or shared eq true"
            writable: "ownerId eq @userId"
            \(lines)
            """
        try await TestServer.with(
            on: database, lines: [UserTokens.line], files: ["tables/papers.yaml": file], extensions: extensions
        ) { server in
            try await body(
                try WireClient(port: server.port), [try UserTokens.field("alice")], [try UserTokens.field("bob")])
        }
    }

    @Test(arguments: TestDatabase.all)
    func `a link is void for who sees other rows, and good for who sees the same`(
        on database: TestDatabase
    ) async throws {
        try await Self.with("pageSize: 2", on: database) { client, alice, bob in
            for index in 0..<4 {
                let row = #"{"id":"a\#(index)","ownerId":"alice","shared":true}"#
                #expect(try client.exchange("POST", "/tables/papers", row, alice).code == 201)
            }
            let link = try #require(try client.exchange("GET", "/tables/papers", "", alice).nextPath)
            #expect(try client.exchange("GET", link, "", bob).code == 400)
            #expect(try client.exchange("GET", link, "", []).code == 400)
            #expect(try client.exchange("GET", link, "", Self.master).code == 400)
            #expect(try client.exchange("GET", link, "", alice).rows.map { $0["id"]?.text } == ["a2", "a3"])
        }
    }

    @Test(arguments: ["client", "clientWins", "serverWins"], TestDatabase.all)
    func `no conflict policy writes what a caller may only see, nor says that it did`(
        policy: String, on database: TestDatabase
    ) async throws {
        try await Self.with("conflictPolicy: \(policy)", on: database) { client, alice, bob in
            let row = #"{"id":"a","text":"kept","ownerId":"alice","shared":true}"#
            let written = try client.exchange("POST", "/tables/papers", row, alice)
            let path = "/tables/papers/a"
            for tag in ["If-Match: \(written["ETag"] ?? "")", "If-Match: \"AAAAAAAAAAA=\"", "X-None: 1"] {
                #expect(try client.exchange("PATCH", path, #"{"text":"x"}"#, bob + [tag]).code == 403)
                #expect(try client.exchange("DELETE", path, "", bob + [tag]).code == 403)
            }
            #expect(try client.exchange("GET", path, "", alice).text == written.text)
        }
    }

    @Test(arguments: TestDatabase.all)
    func `what one caller was answered is not repeated to another`(on database: TestDatabase) async throws {
        try await Self.with(on: database) { client, alice, bob in
            let mark = ["X-ZUMO-INSTALLATION-ID: phone", "Idempotency-Key: once"]
            let row = #"{"id":"a","text":"secret","ownerId":"alice"}"#
            #expect(try client.exchange("POST", "/tables/papers", row, Self.master + mark).code == 201)
            #expect(try client.exchange("POST", "/tables/papers", row, Self.master + mark).code == 201)
            for caller in [[], bob] {
                let answer = try client.exchange("POST", "/tables/papers", row, caller + mark)
                #expect(answer.code == 403 && !answer.text.contains("secret"))
            }
            #expect(try client.exchange("POST", "/tables/papers", row, alice + mark).code == 409)
        }
    }

    @Test(arguments: TestDatabase.all)
    func `that an id is taken is told only to who could have written the row`(on database: TestDatabase) async throws {
        try await Self.with(on: database) { client, alice, bob in
            let row = #"{"id":"a","text":"secret","ownerId":"alice"}"#
            #expect(try client.exchange("POST", "/tables/papers", row, alice).code == 201)
            for generation in ["ZUMO-API-VERSION: 2.0.0", "ZUMO-API-VERSION: 3.0.0"] {
                let fields = [generation, "Content-Type: application/json"]
                let own = try client.exchange("POST", "/tables/papers", #"{"id":"a","ownerId":"bob"}"#, bob + fields)
                #expect(own.code == 409)
                #expect(own.text == #"{"error":"The id is taken.","message":"The id is taken.","code":"id-taken"}"#)
                let taken = try client.exchange("POST", "/tables/papers", row, bob + fields)
                let free = try client.exchange(
                    "POST", "/tables/papers", row.replacing(#""a""#, with: #""free""#), bob + fields)
                #expect(taken.code == 403 && taken.text == free.text)
            }
        }
    }

    @Test(arguments: TestDatabase.all)
    func `rows per user and a rule hold both`(on database: TestDatabase) async throws {
        let lines = "perUser: true\nuserIdColumn: ownerId"
        try await Self.with(lines, on: database) { client, alice, bob in
            let row = #"{"id":"a","text":"mine","ownerId":"bob","shared":true}"#
            let written = try client.exchange("POST", "/tables/papers", row, alice)
            #expect(try written.row["ownerId"] == .string("alice"))
            #expect(try client.exchange("GET", "/tables/papers", "", bob).text == "[]")
            #expect(try client.exchange("DELETE", "/tables/papers/a", "", bob).code == 404)
            #expect(try client.exchange("GET", "/tables/papers", "", []).code == 401)
        }
    }

    @Test(arguments: TestDatabase.all)
    func `a hook sees and writes what its caller may, and gives a new row its owner`(
        on database: TestDatabase
    ) async throws {
        var extensions = Extensions()
        extensions.table("papers") { table in
            table.beforeInsert { change in
                if let user = change.caller.user { change.values["ownerId"] = .text(user.id) }
                let seen = try await change.tables["papers"].list()
                change.values["text"] = .text("\(seen.count) seen")
            }
            table.beforeUpdate { change in
                try await change.tables["papers"].update("a", set: ["text": "by a hook"])
            }
        }
        try await Self.with(on: database, extensions: extensions) { client, alice, bob in
            #expect(try client.exchange("POST", "/tables/papers", #"{"id":"a","shared":true}"#, alice).code == 201)
            #expect(try client.exchange("POST", "/tables/papers", #"{"id":"h"}"#, alice).code == 201)
            let row = try client.exchange("POST", "/tables/papers", #"{"id":"b"}"#, bob).row
            #expect(row["text"] == .string("1 seen") && row["ownerId"] == .string("bob"))
            #expect(try client.exchange("PATCH", "/tables/papers/b", #"{"shared":true}"#, bob).code == 403)
            #expect(try client.exchange("GET", "/tables/papers/a", "", bob).row["text"] == .string("0 seen"))
        }
    }
}
