import JSONText
import Testing
import WireTesting

/// What refusals tell of rows that scripts hide, beside the whole matrix of `AttackTests`.
@Suite("Refusals beside scripts")
struct HiddenScriptedRowsTests {
    /// The sample of docs/scripts.md, with tombstones.
    static let sample = """
        const table = require('azure-mobile-apps').table();
        table.columns = { text: 'string', complete: 'boolean', userId: 'string' };
        table.softDelete = true;
        table.access = 'authenticated';
        table.insert((context) => { context.item.userId = context.user.id; return context.execute(); });
        const own = (context) => { context.query.where({ userId: context.user.id }); return context.execute(); };
        table.read(own); table.delete(own);
        table.update((context) => { context.item.userId = context.user.id; return own(context); });
        module.exports = table;
        """
    /// Only what is read is narrowed, and changed.
    private static let shown = """
        const table = require('azure-mobile-apps').table();
        table.columns = { text: 'string', secret: 'string', userId: 'string' };
        table.softDelete = true;
        table.access = 'authenticated';
        table.insert((context) => { context.item.userId = context.user.id; return context.execute(); });
        table.read(async (context) => {
          context.query.where({ userId: context.user.id });
          const rows = await context.execute();
          for (const row of [rows].flat()) if (row) { delete row.secret; row.label = 'mine'; }
          return rows;
        });
        module.exports = table;
        """
    private static let versions = ["ZUMO-API-VERSION: 2.0.0", "ZUMO-API-VERSION: 3.0.0"]
    private static let stale = ["If-Match: \"AAAAAAAAAAA=\""]

    private static func with(
        _ script: String, on database: TestDatabase, _ more: String = "",
        _ body: @escaping @Sendable (WireClient, _ alice: [String], _ bob: [String]) async throws -> Void
    ) async throws {
        try await TestServer.with(
            on: database, lines: [UserTokens.line], files: ["tables/notes.js": script + more]
        ) { server in
            let client = try WireClient(port: server.port)
            let (alice, bob) = (try UserTokens.field("alice"), try UserTokens.field("bob"))
            let row = #"{"id":"a","text":"hers"}"#
            #expect(try client.exchange("POST", "/tables/notes", row, [alice]).code == 201)
            try await body(client, [alice], [bob])
        }
    }

    @Test(arguments: TestDatabase.all)
    func `an insert with the id of a hidden row is told that it is taken, and its owner is shown the row`(
        on database: TestDatabase
    ) async throws {
        try await Self.with(Self.sample, on: database) { client, alice, bob in
            let row = #"{"id":"a","text":"other"}"#
            for version in Self.versions {
                for fields in [[version], [version] + Self.stale] {
                    let other = try client.exchange("POST", "/tables/notes", row, bob + fields)
                    #expect(other.code == 409 && !other.text.contains("hers") && other.text.contains("taken"))
                    let own = try client.exchange("POST", "/tables/notes", row, alice + fields)
                    #expect([409, 412].contains(own.code) && own.text.contains("hers"), "\(own.text)")
                }
            }
        }
    }

    @Test(arguments: TestDatabase.all)
    func `a patch tells nothing of a hidden row, and its owner what is wrong with it`(
        on database: TestDatabase
    ) async throws {
        try await Self.with(Self.sample, on: database) { client, alice, bob in
            let fields = [Self.versions[1], "Content-Type: application/json-patch+json"]
            for (value, code) in [("hers", 200), ("his", 400)] {
                let patch =
                    #"[{"op":"test","path":"/text","value":"\#(value)"},{"op":"test","path":"/id","value":"a"}]"#
                let answer = try client.exchange("PATCH", "/tables/notes/a", patch, bob + fields)
                let missing = try client.exchange("PATCH", "/tables/notes/b", patch, bob + fields)
                #expect(answer.code == 404 && answer.text == missing.text, "\(answer.text)")
                #expect(try client.exchange("PATCH", "/tables/notes/a", patch, alice + fields).code == code)
            }
        }
    }

    @Test(arguments: TestDatabase.all)
    func `a script is handed nothing of a hidden row by a patch that copies it`(
        on database: TestDatabase
    ) async throws {
        let telling = """
            table.update((context) => {
              if (context.item.userId) throw Object.assign(new Error(`not ${context.item.userId}`), { status: 400 });
              return context.execute();
            });
            """
        let script = Self.shown.replacing("module.exports", with: "\(telling)\nmodule.exports")
        try await Self.with(script, on: database) { client, alice, bob in
            let fields = [Self.versions[1], "Content-Type: application/json-patch+json"]
            let patch = #"[{"op":"copy","from":"/text","path":"/userId"}]"#
            let answer = try client.exchange("PATCH", "/tables/notes/a", patch, bob + fields)
            let missing = try client.exchange("PATCH", "/tables/notes/b", patch, bob + fields)
            #expect(answer.code == 404 && answer.text == missing.text, "\(answer.text)")
            let own = try client.exchange("PATCH", "/tables/notes/a", patch, alice + fields)
            #expect(own.code == 400 && own.text.contains("not hers"), "\(own.text)")
        }
    }

    @Test(arguments: TestDatabase.all)
    func `a deleted row is brought back by whom the script of updates lets`(on database: TestDatabase) async throws {
        try await Self.with(Self.sample, on: database) { client, alice, bob in
            #expect(try client.exchange("DELETE", "/tables/notes/a", "", alice).code == 200)
            for version in Self.versions {
                let isOld = version == Self.versions[0]
                let (method, body) = isOld ? ("POST", "") : ("PATCH", #"{"deleted":false}"#)
                let other = try client.exchange(method, "/tables/notes/a", body, bob + [version])
                #expect(other.code == 404 && !other.text.contains("hers"), "\(other.text)")
                let own = try client.exchange(method, "/tables/notes/a", body, alice + [version])
                #expect([200, 201].contains(own.code) && own.text.contains("hers"), "\(own.text)")
                #expect(try client.exchange("DELETE", "/tables/notes/a", "", alice).code == 200)
            }
        }
    }

    @Test(arguments: TestDatabase.all)
    func `a deleted row that only reads hide is brought back by whoever sees it`(
        on database: TestDatabase
    ) async throws {
        try await Self.with(Self.shown, on: database) { client, alice, bob in
            #expect(try client.exchange("DELETE", "/tables/notes/a", "", alice).code == 200)
            #expect(try client.exchange("POST", "/tables/notes/a", "", bob).code == 404)
            let patch = try client.exchange(
                "PATCH", "/tables/notes/a", #"{"deleted":false}"#, bob + [Self.versions[1]])
            #expect(patch.code == 404 && !patch.text.contains("hers"))
            #expect(try client.exchange("POST", "/tables/notes/a", "", alice).code == 201)
        }
    }

    @Test(arguments: TestDatabase.all)
    func `a row that a script reads and gives nobody back is as one that isn't there`(
        on database: TestDatabase
    ) async throws {
        let filtering = """
            const table = require('azure-mobile-apps').table();
            table.columns = { text: 'string', userId: 'string' };
            table.softDelete = true;
            table.access = 'authenticated';
            table.insert((context) => { context.item.userId = context.user.id; return context.execute(); });
            table.read(async (context) => {
              const [row] = await context.execute();
              if (row && row.userId === context.user.id) return row;
            });
            module.exports = table;
            """
        try await Self.with(filtering, on: database) { client, alice, bob in
            for version in Self.versions + ["X-ZUMO-APPLICATION: any"] {
                let own = try client.exchange("GET", "/tables/notes/a", "", alice + [version])
                #expect(own.code == 200 && own.text.contains("hers"), "\(own.text)")
                let hidden = try client.exchange("GET", "/tables/notes/a", "", bob + [version])
                let missing = try client.exchange("GET", "/tables/notes/b", "", bob + [version])
                #expect(
                    hidden.code == 404 && hidden.text == missing.text.replacing("'b'", with: "'a'"), "\(hidden.text)")
            }
            let taken = try client.exchange("POST", "/tables/notes", #"{"id":"a"}"#, bob)
            #expect(taken.code == 409 && !taken.text.contains("hers"), "\(taken.text)")
        }
    }

    @Test(arguments: TestDatabase.all)
    func `a tombstone that v1 shows is as its reader's script shows it`(on database: TestDatabase) async throws {
        try await Self.with(Self.shown, on: database) { client, alice, bob in
            #expect(try client.exchange("DELETE", "/tables/notes/a", "", alice).code == 200)
            let old = ["X-ZUMO-APPLICATION: any"]
            let change = #"{"text":"new"}"#
            let shown = try client.exchange("GET", "/tables/notes/a?__includeDeleted=true", "", alice)
            let current = "If-Match: \"\(try #require(shown.row["version"]?.textValue))\""
            let asked: [(method: String, body: String, fields: [String], code: Int)] = [
                ("PATCH", change, [], 412), ("PATCH", change, Self.stale, 412), ("PATCH", change, [current], 404),
                ("DELETE", "", [], 404), ("DELETE", "", Self.stale, 412), ("DELETE", "", [current], 404),
            ]
            for (method, body, fields, code) in asked {
                let own = try client.exchange(method, "/tables/notes/a", body, alice + old + fields)
                #expect(own.code == code, "\(method) \(fields) \(own.text)")
                if code == 412 {
                    let row = try own.row
                    #expect(row["label"] == "mine" && row["secret"] == nil && row["__version"] != nil, "\(own.text)")
                }
                let other = try client.exchange(method, "/tables/notes/a", body, bob + old + fields)
                #expect(other.code == 404 && !other.text.contains("hers"), "\(method) \(fields) \(other.text)")
            }
            for version in Self.versions {
                let own = try client.exchange("DELETE", "/tables/notes/a", "", alice + Self.stale + [version])
                #expect(own.code == (version == Self.versions[0] ? 404 : 410), "\(own.text)")
            }
        }
    }

    @Test(arguments: TestDatabase.all)
    func `a conflict shows the row as its reader's script shows it`(on database: TestDatabase) async throws {
        try await Self.with(Self.shown, on: database) { client, alice, bob in
            let change = #"{"text":"new"}"#
            for version in Self.versions {
                let fields = Self.stale + [version]
                let own = try client.exchange("PATCH", "/tables/notes/a", change, alice + fields)
                #expect(own.code == 412 && own["ETag"] != nil, "\(own.text)")
                let row = try own.row
                #expect(
                    row["text"] == "hers" && row["label"] == "mine" && row["secret"] == nil && row["version"] != nil)
                let other = try client.exchange("PATCH", "/tables/notes/a", change, bob + fields)
                let missing = try client.exchange("PATCH", "/tables/notes/b", change, bob + fields)
                #expect(other.code == 404 && other.text == missing.text, "\(other.text)")
                #expect(try client.exchange("DELETE", "/tables/notes/a", "", bob + fields).code == 404)
                let taken = try client.exchange("POST", "/tables/notes", #"{"id":"a"}"#, alice + [version])
                #expect(try taken.code == 409 && taken.row["label"] == "mine", "\(taken.text)")
            }
        }
    }

    @Test(arguments: ["clientWins", "serverWins"], TestDatabase.all)
    func `no conflict policy shows a hidden row`(_ policy: String, on database: TestDatabase) async throws {
        let rows = "table.update((context) => context.execute());\nmodule.exports = table;"
        try await TestServer.with(
            on: database, lines: [UserTokens.line],
            files: ["tables/notes.js": Self.shown + rows, "tables/notes.yaml": "conflictPolicy: \(policy)"]
        ) { server in
            let client = try WireClient(port: server.port)
            let (alice, bob) = ([try UserTokens.field("alice")], [try UserTokens.field("bob")])
            #expect(
                try client.exchange("POST", "/tables/notes", #"{"id":"a","text":"hers","secret":"s"}"#, alice).code
                    == 201)
            let own = try client.exchange("PATCH", "/tables/notes/a", #"{"text":"new"}"#, alice + Self.stale)
            #expect(own.code == 200, "\(own.text)")
            if policy == "serverWins" {
                #expect(try own.row["text"] == "hers" && own.row["label"] == "mine")
                let other = try client.exchange("PATCH", "/tables/notes/a", #"{"text":"x"}"#, bob + Self.stale)
                #expect(other.code == 404 && !other.text.contains("hers"), "\(other.text)")
            }
        }
    }
}
