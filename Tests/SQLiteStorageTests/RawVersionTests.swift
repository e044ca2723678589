import SQLiteStorage
import StorageTesting
import TableSQL
import Tables
import Testing

/// What the triggers do on connections that have only SQLite's own functions.
@Suite struct `Versions that another program writes to SQLite` {
    private static let tables = (["Soft", "Hard"] as [Identifier]).map { name in
        var definition = TableDefinition(name: name, columns: [Column("text", .string)])
        definition.rules.softDelete = name == "Soft"
        return definition
    }

    /// A database with the tables, which no server serves.
    private func backend() async throws -> SQLiteBackend {
        let backend = SQLiteBackend.inFile()
        let store = try SQLiteTableStore.open(backend.location, tables: Self.tables, servesClientTables: false)
        await store.close()
        return backend
    }

    private func last(_ backend: SQLiteBackend) throws -> Int {
        try Int(backend.query("SELECT value FROM zumod_counters WHERE name = 'version'")[0][0] ?? "") ?? 0
    }

    @Test(arguments: ["OFF", "ON"])
    func `are given anew once for each row, and leave no mark`(recursion: String) async throws {
        let backend = try await backend()
        defer { backend.remove() }
        for (sql, count) in [
            (#"INSERT INTO "Soft" ("id", "version") VALUES ('a', 1), ('b', 2), ('c', 9)"#, 3),
            (#"INSERT OR IGNORE INTO "Soft" ("id", "version") VALUES ('a', 7), ('d', 7)"#, 1),
            (#"UPDATE "Soft" SET "version" = "version" + 1"#, 4),
            (#"UPDATE OR REPLACE "Soft" SET "version" = NULL"#, 4),
            (#"UPDATE "Soft" SET "text" = 'x' WHERE "id" < 'c'"#, 2),
            (#"DELETE FROM "Soft" WHERE "id" = 'd'"#, 1),
            (#"UPDATE "Soft" SET "version" = "version" + 1 WHERE "id" = 'd'"#, 1),
            (#"INSERT INTO "Hard" SELECT * FROM "Soft" WHERE NOT "deleted""#, 3),
            (#"INSERT OR REPLACE INTO "Hard" SELECT * FROM "Soft" WHERE NOT "deleted""#, 3),
            (#"UPDATE "Hard" SET "id" = "id" || 1, "version" = 3 WHERE "id" = 'a'"#, 1),
        ] {
            let before = try last(backend)
            try await backend.run("PRAGMA recursive_triggers = \(recursion); \(sql)")
            #expect(try last(backend) == before + count, "\(sql)")
            #expect(try backend.query("SELECT name FROM zumod_counters") == [["version"]], "\(sql)")
            let given = #"SELECT count(DISTINCT "version") = count(*) AND count(DISTINCT "updatedAt") = count(*) FROM "#
            for name in ["Soft", "Hard"] { #expect(try backend.query(given + name) == [["1"]], "\(sql)") }
        }
        #expect(try SQLiteVerification.findings(in: path(backend), tables: Self.tables) == [])
    }

    @Test(arguments: [
        // It writes the row again, or another one, or stops the writing of it.
        """
        AFTER UPDATE ON "Soft" WHEN NEW."text" IS NOT 'seen'
        BEGIN UPDATE "Soft" SET "text" = 'seen' WHERE "id" = NEW."id"; END
        """,
        #"AFTER INSERT ON "Soft" BEGIN UPDATE "Soft" SET "text" = 'seen', "version" = 1 WHERE "id" = NEW."id"; END"#,
        #"AFTER UPDATE ON "Soft" BEGIN INSERT OR REPLACE INTO "Hard" SELECT * FROM "Soft" WHERE NOT "deleted"; END"#,
        #"AFTER INSERT ON "Soft" BEGIN UPDATE "Hard" SET "version" = NEW."version"; END"#,
        #"BEFORE UPDATE ON "Soft" WHEN NEW."text" IS 'no' BEGIN SELECT RAISE(IGNORE); END"#,
    ])
    func `are given anew beside another program's trigger`(trigger: String) async throws {
        let backend = try await backend()
        defer { backend.remove() }
        try await backend.run(#"INSERT INTO "Hard" ("id") VALUES ('x'), ('y'); CREATE TRIGGER "theirs" \#(trigger)"#)
        for sql in [
            #"INSERT INTO "Soft" ("id", "version") VALUES ('a', 1), ('b', 2)"#,
            #"UPDATE "Soft" SET "version" = "version" + 1, "text" = 'no'"#,
            #"UPDATE "Soft" SET "version" = "version" + 1, "text" = 'x'"#,
        ] {
            let before = try backend.query(#"SELECT "id", "version" FROM "Soft" ORDER BY "id""#)
            try await backend.run(sql)
            #expect(try backend.query("SELECT name FROM zumod_counters") == [["version"]])
            let after = try backend.query(#"SELECT "id", "version" FROM "Soft" ORDER BY "id""#)
            #expect(trigger.contains("IGNORE") || zip(before, after).allSatisfy { $0 != $1 })
            for name in ["Soft", "Hard"] {
                let given =
                    #"SELECT count(DISTINCT "version") = count(*), max("version") <= \#(try last(backend)) FROM "#
                #expect(try backend.query(given + name) == [["1", "1"]], "\(sql)")
            }
        }
        #expect(try SQLiteVerification.findings(in: path(backend), tables: Self.tables) == [])
    }

    @Test func `are given anew after a start that finds the triggers of the version before`() async throws {
        let backend = try await backend()
        defer { backend.remove() }
        try await backend.run(#"INSERT INTO "Soft" ("id") VALUES ('a')"#)
        // As they were recorded, too.
        for name in ["inserted", "updated"] {
            let (old, new) = try Self.former(name)
            try await backend.run(
                """
                DROP TRIGGER "zumod_Soft.\(name)"; \(old);
                UPDATE zumod_triggers SET statement = '\(old.replacing("'", with: "''"))'
                    WHERE statement = '\(new.replacing("'", with: "''"))'
                """)
        }
        try await backend.run(#"UPDATE "Soft" SET "version" = 0"#)
        #expect(try backend.query(#"SELECT "version" FROM "Soft""#) == [["0"]])
        let store = try SQLiteTableStore.open(backend.location, tables: Self.tables, servesClientTables: false)
        await store.close()
        // A loss would give each row a new version.
        #expect(try backend.query(#"SELECT "version" FROM "Soft""#) == [["0"]])
        #expect(try SQLiteVerification.findings(in: path(backend), tables: Self.tables) == [])
        try await backend.run(#"UPDATE "Soft" SET "version" = 0"#)
        #expect(try backend.query(#"SELECT "version" FROM "Soft""#) == [["2"]])
    }

    /// A trigger's text in the version before, and now.
    private static func former(_ name: String) throws -> (old: String, new: String) {
        let triggers = SQLiteTriggers(for: "Soft", softDelete: true)
        let new = try #require(triggers.all.first { $0.name == "zumod_Soft.\(name)" }?.text)
        var lines = new.split(separator: "\n", omittingEmptySubsequences: false)
        lines.removeAll { $0.contains("renewing") || $0.contains("sqlite_source_id") }
        let old = lines.joined(separator: "\n").replacing("WHEN (NEW.", with: "WHEN NEW.")
        #expect(old.count < new.count && triggers.isFormer("zumod_Soft.\(name)", old, of: "Soft"))
        return (old, new)
    }

    private func path(_ backend: SQLiteBackend) -> String {
        guard case .file(let path) = backend.location else { return "" }
        return path
    }
}
