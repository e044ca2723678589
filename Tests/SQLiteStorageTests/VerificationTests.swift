import SQLiteStorage
import Scalars
import StorageTesting
import Tables
import Testing

@Suite struct `Verifying a SQLite database` {
    /// What another program does, and the words by which it is noticed.
    struct Damage: Sendable, CustomStringConvertible {
        let description: String
        let sql: String
        let words: String
        /// The rows that are alive once the remedies are run, and the tombstones.
        var live = ["a", "b", "c"]
        var deleted: [String] = []
    }

    static let damages = [
        Damage(description: "a lost trigger", sql: #"DROP TRIGGER "zumod_Soft.updated""#, words: "updated is missing"),
        Damage(
            description: "a lost trigger of deletes", sql: #"DROP TRIGGER "zumod_Soft.deleted""#,
            words: "deleted is missing"),
        Damage(
            description: "another trigger by its name",
            sql: """
                DROP TRIGGER "zumod_Soft.inserted";
                CREATE TRIGGER "zumod_Soft.inserted" AFTER INSERT ON "Soft" BEGIN SELECT 1; END
                """, words: "not the one that zumod made"),
        Damage(
            description: "a loss that nobody answered",
            sql: "INSERT INTO zumod_losses VALUES ('Soft', 0, 'zumod_Soft.deleted')", words: "zumod_Soft.deleted"),
        Damage(
            description: "a lost index", sql: #"DROP INDEX "zumod_Soft.updatedAt.id""#,
            words: "its index zumod_Soft.updatedAt.id is missing"),
        Damage(
            description: "a lost index of the definition", sql: #"DROP INDEX "zumod_Soft.text""#,
            words: "its index zumod_Soft.text is missing"),
        Damage(
            description: "one stamp on two rows",
            sql: """
                UPDATE "Soft" SET "version" = "version" + 100, "updatedAt" = (SELECT min("updatedAt") FROM "Soft");
                UPDATE zumod_counters SET value = 1000
                """, words: "stamps that are on more than one row: 1, such as 2027-01-15T08:00:00.000Z"),
        Damage(
            description: "versions in another order",
            sql: #"UPDATE "Soft" SET "version" = 5 - "version""#,
            words: "rows with a lower version than rows of earlier stamps"),
        Damage(
            description: "a last stamp that went back", sql: "UPDATE zumod_tables SET last_stamp = 5",
            words: "a row has a later stamp (2027-01-15T08:00:00.002Z) than the last one that was given"),
        Damage(
            description: "a counter that went back", sql: "UPDATE zumod_counters SET value = 1",
            words: "a row has a higher version (3) than the last one that was given (1)"),
        Damage(
            description: "a garbled stamp",
            sql: #"UPDATE "Soft" SET "version" = 4, "updatedAt" = 'now' WHERE "id" = 'b'"#,
            words: "rows without proper stamps, version or `deleted`: 1, such as the one with the id b"),
        Damage(
            description: "a row that was written without triggers",
            sql: """
                DROP TRIGGER "zumod_Soft.inserted"; DROP TRIGGER "zumod_Soft.updated";
                INSERT INTO "Soft" ("id") VALUES ('raw')
                """, words: "such as the one with the id raw", live: ["a", "b", "c", "raw"]),
        Damage(
            description: "a stamp that is far ahead",
            sql: """
                UPDATE "Soft" SET "version" = 4, "updatedAt" = '2999-01-01T00:00:00.000Z' WHERE "id" = 'b';
                UPDATE zumod_counters SET value = 4
                """, words: "a row has a later stamp (2999-01-01T00:00:00.000Z) than the last one"),
        Damage(
            description: "a version that leaves no room",
            sql: #"UPDATE "Soft" SET "version" = 9223372036854775807 WHERE "id" = 'c'"#,
            words: "the versions are near their end"),
        Damage(
            description: "such a version in a row that isn't the latest",
            sql: #"UPDATE "Soft" SET "version" = 9223372036854775807 WHERE "id" = 'a'"#,
            words: "the versions are near their end"),
        Damage(
            description: "a deleted row with an odd mark",
            sql:
                #"UPDATE "Soft" SET "version" = 4, "deleted" = 'true', "createdAt" = '2014-05-12 10:11:12' WHERE "id" = 'b'"#,
            words: "such as the one with the id b", live: ["a", "c"], deleted: ["b"]),
        Damage(
            description: "a deleted row without a stamp",
            sql: #"UPDATE "Soft" SET "version" = 4, "deleted" = 1, "createdAt" = NULL WHERE "id" = 'b'"#,
            words: "such as the one with the id b", live: ["a", "c"], deleted: ["b"]),
        Damage(
            description: "a row that was marked as alive in words",
            sql: #"UPDATE "Soft" SET "version" = 4, "deleted" = 'No' WHERE "id" = 'b'"#,
            words: "such as the one with the id b"),
        Damage(
            description: "a column in the way", sql: #"ALTER TABLE "Soft" ADD COLUMN "__version" TEXT"#,
            words: "its column __version looks like the server's version"),
        Damage(
            description: "a lost column",
            sql: """
                DROP INDEX "zumod_Soft.updatedAt.id"; DROP TRIGGER "zumod_Soft.updated";
                DROP TRIGGER "zumod_Soft.inserted"; DROP TRIGGER "zumod_Soft.deleted"; ALTER TABLE "Soft" DROP COLUMN "createdAt"
                """, words: "it has lost its column createdAt"),
        Damage(
            description: "a lost column of the definition", sql: #"ALTER TABLE "Soft" DROP COLUMN "note""#,
            words: "it has no column note, which its definition names"),
        Damage(
            description: "a lost table", sql: #"DROP TABLE "Soft""#, words: "zumod made the table, but it is gone",
            live: []),
        Damage(
            description: "another program's rule",
            sql: """
                ALTER TABLE "Soft" ADD COLUMN "size" INTEGER CHECK ("size" > 5);
                PRAGMA ignore_check_constraints = ON;
                UPDATE "Soft" SET "size" = 1
                """, words: "rows break a rule that another program gave their table: CHECK constraint failed in Soft"),
        Damage(
            description: "a reference to a row that isn't there",
            sql: #"CREATE TABLE "other" ("of" TEXT REFERENCES "Soft" ("id")); INSERT INTO "other" VALUES ('x')"#,
            words: "rows refer to rows of other tables that aren't there"),
        Damage(
            description: "a reference that can't be checked",
            sql: #"CREATE TABLE "other" ("of" TEXT REFERENCES "Soft" ("text")); INSERT INTO "other" VALUES ('x')"#,
            words: "references to other tables can't be checked"),
        Damage(
            description: "a view that nobody can read",
            sql: """
                CREATE VIEW "seen" AS SELECT 1;
                PRAGMA writable_schema = ON;
                UPDATE sqlite_master SET sql = 'CREATE VIEW "seen" AS SELECT FROM' WHERE name = 'seen'
                """, words: "a part of the schema can't be read: "),
        Damage(
            description: "tombstones that clients see",
            sql: #"UPDATE "Soft" SET "deleted" = 1 WHERE "id" = 'b'; UPDATE zumod_tables SET soft_delete = 0"#,
            words: "since the table has no soft delete: 1", live: ["a", "c"]),
        Damage(
            description: "a text in a column of numbers",
            sql: #"ALTER TABLE "Soft" ADD COLUMN "size" REAL; UPDATE "Soft" SET "size" = 'big' WHERE "id" = 'b'"#,
            words: "its column size has values that are no numbers: 1, in rows such as b"),
        Damage(
            description: "a date in another spelling",
            sql: """
                ALTER TABLE "Soft" ADD COLUMN "due" DATETIME; UPDATE "Soft" SET "due" = '2024-01-01 10:00:00' WHERE "id" = 'b'
                """, words: "its column due has dates in another spelling than the server's: 1, in rows such as b"),
        Damage(
            description: "a boolean that is 7",
            sql: #"ALTER TABLE "Soft" ADD COLUMN "done" BOOLEAN; UPDATE "Soft" SET "done" = 7 WHERE "id" = 'b'"#,
            words: "its column done has numbers other than 0 and 1: 1, in rows such as b"),
        Damage(
            description: "an older schema", sql: "DELETE FROM zumod_migrations WHERE number = 3",
            words: "the schema is not this version's"),
        Damage(
            description: "a newer schema",
            sql: "INSERT INTO zumod_migrations VALUES (9999, '9999-x', '')", words: "from a later version"),
        Damage(
            description: "another journal", sql: "PRAGMA journal_mode = DELETE", words: "no write-ahead log"),
        Damage(
            description: "an index without its rows",
            sql: """
                PRAGMA writable_schema = ON;
                UPDATE sqlite_master SET rootpage = (SELECT rootpage FROM sqlite_master WHERE name = 'zumod_counters')
                WHERE name = 'zumod_Soft.text'
                """, words: "database disk image is malformed"),
        Damage(
            description: "an index that lacks a row",
            sql: """
                PRAGMA writable_schema = ON;
                UPDATE sqlite_master SET sql = replace(sql, '"text"', '"deleted"') WHERE name = 'zumod_Soft.text'
                """, words: "the file is damaged: "),
    ]

    @Test(arguments: damages) func `finds each damage and says what to do`(_ damage: Damage) async throws {
        let backend = SQLiteBackend.inFile()
        defer { backend.remove() }
        try await Self.fill(backend)
        try await backend.runUnseen(damage.sql)
        let findings = try Self.findings(in: backend)
        let found = try #require(findings.first { $0.problem.contains(damage.words) }, "\(findings)")
        #expect(!found.advice.isEmpty)
    }

    @Test func `finds nothing in a database that was used as it is meant to be`() async throws {
        let backend = SQLiteBackend.inFile()
        defer { backend.remove() }
        try await Self.fill(backend)
        try await backend.run(#"UPDATE "Soft" SET "text" = 'shell'; INSERT INTO "Soft" ("text") VALUES ('new')"#)
        #expect(try Self.findings(in: backend) == [])
    }

    @Test func `the remedies of damaged rows and numbers heal them`() async throws {
        let backend = SQLiteBackend.inFile()
        defer { backend.remove() }
        try await Self.fill(backend)
        try await backend.runUnseen(
            """
            UPDATE "Soft" SET "version" = "version" + 100, "updatedAt" = (SELECT min("updatedAt") FROM "Soft")
            WHERE "id" <> 'a';
            UPDATE "Soft" SET "version" = 'x', "updatedAt" = 'now', "deleted" = 7 WHERE "id" = 'a'
            """)
        let problems = try Self.findings(in: backend).map(\.problem)
        #expect(problems.contains { $0.contains("without proper stamps") })
        #expect(problems.contains { $0.contains("stamps that are on more than one row") })
        try await backend.run(
            """
            UPDATE zumod_counters SET value = 103 WHERE name = 'version';
            UPDATE "Soft" SET "createdAt" = strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), "deleted" = 0 WHERE "id" = 'a';
            UPDATE "Soft" SET "id" = "id" WHERE "updatedAt" = '2027-01-15T08:00:00.000Z'
            """)
        #expect(try Self.findings(in: backend) == [])
    }

    /// Numbers near their ends, as another version of the server or a shell may have left them.
    static let ends = [
        Damage(
            description: "stamps",
            sql: """
                DROP TRIGGER zumod_stamps_end; UPDATE zumod_tables SET last_stamp = 9223372036854775807;
                UPDATE "Soft" SET "version" = 900, "updatedAt" = '9999-12-31T23:59:59.999Z' WHERE "id" = 'b';
                UPDATE zumod_counters SET value = 900
                """, words: "its stamps are near their end (9999-12-31T23:59:59.999Z)"),
        Damage(
            description: "ids",
            sql: """
                DROP TRIGGER "zumod_Numbered.inserted"; INSERT INTO "Numbered" ("id", "createdAt", "updatedAt", "version")
                VALUES (9223372036854775807, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z', 1)
                """, words: "its ids are near their end (9223372036854775807)"),
        Damage(
            description: "a counter of ids", sql: "UPDATE sqlite_sequence SET seq = 9223372036854775807",
            words: "its ids are near their end (9223372036854775807)"),
        Damage(
            description: "versions",
            sql: """
                UPDATE "Soft" SET "version" = 9223372036854775807 WHERE "id" = 'b';
                UPDATE zumod_counters SET value = 9223372036854775807
                """, words: "the versions are near their end (9223372036854775807)"),
    ]

    @Test(arguments: ends) func `finds numbers near their end, and the remedy mends them`(_ damage: Damage) async throws
    {
        let backend = SQLiteBackend.inFile()
        defer { backend.remove() }
        guard case .file(let path) = backend.location else { return }
        let tables = [Self.definition, Self.numbered]
        try await Self.fill(backend)
        var store = try SQLiteTableStore.open(backend.location, tables: tables, servesClientTables: false)
        _ = try await store.insert(
            [], id: nil, in: try #require(store.table(named: "Numbered")), into: RecordedRows())
        await store.close()
        try await backend.runUnseen(damage.sql)
        let findings = try SQLiteVerification.findings(in: path, tables: tables)
        for found in findings where found.problem.contains("near") {
            try await backend.run(found.lines.dropFirst(2).joined(separator: "\n"))
        }
        #expect(findings.contains { $0.problem.contains(damage.words) }, "\(findings)")
        store = try SQLiteTableStore.open(backend.location, tables: tables, servesClientTables: false)
        for (name, id) in [("Soft", RowID.text("new")), ("Numbered", nil)] {
            let table = try #require(store.table(named: Identifier(stringLiteral: name)))
            #expect(try await store.insert([], id: id, in: table, into: RecordedRows()).outcome == .written)
        }
        await store.close()
        // The trigger that a damage took was made anew by the start, which is told until it is answered.
        #expect(try SQLiteVerification.findings(in: path, tables: tables).filter { $0.kind != .loss } == [])
    }

    @Test func `rows that were imported with their stamps are no finding`() async throws {
        let backend = SQLiteBackend.inFile()
        defer { backend.remove() }
        let store = try SQLiteTableStore.open(
            backend.location, tables: [Self.definition], servesClientTables: false)
        let table = try #require(store.table(named: "Soft"))
        _ = try await store.insert(
            [], id: .text("own"), deleted: false, scope: nil, in: table, into: RecordedRows())
        let rows = [(id: "x", stamp: Int64(5_000), version: Int64(80)), (id: "y", stamp: 6_000, version: 70)].map {
            ImportRow(
                id: .text($0.id), createdAt: nil, updatedAt: Instant(milliseconds: $0.stamp),
                version: Version(counter: $0.version), isDeleted: false, assignments: [])
        }
        _ = try await store.importRows(ImportBatch(rows: rows), into: table)
        _ = try await store.insert(
            [], id: .text("later"), deleted: false, scope: nil, in: table, into: RecordedRows())
        await store.close()
        #expect(try Self.findings(in: backend) == [])
    }

    private static var numbered: TableDefinition {
        var numbered = TableDefinition(name: "Numbered")
        numbered.rules.autoIncrement = true
        return numbered
    }

    static var definition: TableDefinition {
        var definition = TableDefinition(
            name: "Soft", columns: [Column("text", .string), Column("note", .string)], indexes: [["text"]])
        definition.rules.softDelete = true
        return definition
    }

    /// Three rows, with the versions 1 to 3.
    static func fill(_ backend: SQLiteBackend) async throws {
        let store = try SQLiteTableStore.open(
            backend.location, tables: [definition], servesClientTables: false,
            clock: { Instant(milliseconds: 1_800_000_000_000) })
        let table = try #require(store.table(named: "Soft"))
        for id in ["a", "b", "c"] {
            _ = try await store.insert(
                [Property("text", .text(id))], id: .text(id), deleted: false, scope: nil, in: table,
                into: RecordedRows())
        }
        await store.close()
    }

    static func findings(in backend: SQLiteBackend) throws -> [Finding] {
        guard case .file(let path) = backend.location else { return [] }
        return try SQLiteVerification.findings(in: path, tables: [definition])
    }
}
