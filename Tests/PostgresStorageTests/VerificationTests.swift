import PostgresStorage
import Scalars
import StorageTesting
import TableSQL
import Tables
import Testing

@Suite(.enabled(if: PostgresBackend.server != nil, "no server is given: run scripts/test-postgres"))
struct `Verifying a PostgreSQL database` {
    /// What another program does, and the words by which it is noticed.
    struct Damage: Sendable, CustomStringConvertible {
        let description: String
        let sql: String
        let words: String
        /// The rows that are alive once the remedies are run.
        var live = ["a", "b", "c"]
    }

    /// Longer than PostgreSQL's own names.
    private static let long = String(repeating: "long", count: 20)

    static let damages = [
        Damage(
            description: "a lost trigger", sql: #"DROP TRIGGER zumod_turn ON "Soft""#, words: "zumod_turn is missing"),
        Damage(
            description: "a lost trigger of deletes", sql: #"DROP TRIGGER zumod_deleted ON "Soft""#,
            words: "zumod_deleted is missing"),
        Damage(
            description: "a lost trigger of TRUNCATE", sql: #"DROP TRIGGER zumod_truncated ON "Soft""#,
            words: "zumod_truncated is missing"),
        Damage(
            description: "a trigger that is off", sql: #"ALTER TABLE "Soft" DISABLE TRIGGER zumod_updated"#,
            words: "zumod_updated is disabled"),
        Damage(
            description: "another trigger by its name",
            sql: """
                CREATE OR REPLACE TRIGGER zumod_inserted BEFORE INSERT ON "Soft"
                FOR EACH ROW EXECUTE FUNCTION zumod_renew('Soft')
                """, words: "zumod_inserted is not the one that zumod made"),
        Damage(
            description: "a trigger with another condition",
            sql: """
                CREATE OR REPLACE TRIGGER zumod_updated BEFORE UPDATE ON "Soft"
                FOR EACH ROW WHEN (NEW."version" IS NULL) EXECUTE FUNCTION zumod_renew('Soft')
                """, words: "zumod_updated is not the one that zumod made"),
        Damage(
            description: "another function of triggers",
            sql: """
                CREATE OR REPLACE FUNCTION zumod_keep() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN OLD; END'
                """, words: "the function zumod_keep is not the one that zumod made"),
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
                SELECT setval('zumod_version', 1000)
                """, words: "stamps that are on more than one row: 1, such as 2027-01-15T08:00:00.000Z"),
        Damage(
            description: "versions in another order",
            sql: #"UPDATE "Soft" SET "version" = 1000 - "version"; SELECT setval('zumod_version', 1000)"#,
            words: "rows with a lower version than rows of earlier stamps"),
        Damage(
            description: "a last stamp that went back", sql: "UPDATE zumod_tables SET last_stamp = 5",
            words: "a row has a later stamp (2027-01-15T08:00:00.002Z) than the last one that was given"),
        Damage(
            description: "a counter that went back", sql: "SELECT setval('zumod_version', 1)",
            words: "than the last one that was given (1)"),
        Damage(
            description: "a column in the way", sql: #"ALTER TABLE "Soft" ADD COLUMN "UpdatedAt" text"#,
            words: "its column UpdatedAt looks like the server's updatedAt"),
        Damage(
            description: "a lost column", sql: #"ALTER TABLE "Soft" DROP COLUMN "createdAt""#,
            words: "it has lost its column createdAt"),
        Damage(
            description: "a column with a type that the server can't use",
            sql: #"ALTER TABLE "Soft" ALTER COLUMN "createdAt" TYPE interval USING interval '1 second'"#,
            words: "its column createdAt has a type that the server can't use"),
        Damage(
            description: "a lost column of the definition", sql: #"ALTER TABLE "Soft" DROP COLUMN "note""#,
            words: "it has no column note, which its definition names"),
        Damage(
            description: "a lost column with a long name",
            sql: #"ALTER TABLE "Soft" DROP COLUMN "\#(PostgresName.physical(long))""#,
            words: "it has no column \(long), which its definition names"),
        Damage(
            description: "numbers that are taken",
            sql: #"SELECT setval(pg_get_serial_sequence('"Numbered"', 'id'), 1)"#,
            words: "a row has a higher id (2) than the last number that was given (1)"),
        Damage(
            description: "a lost table", sql: #"DROP TABLE "Soft""#, words: "zumod made the table, but it is gone",
            live: []),
        Damage(
            description: "a stamp that is far ahead",
            sql: """
                UPDATE "Soft" SET "version" = 4, "updatedAt" = '2999-01-01' WHERE "id" = 'b'; SELECT setval('zumod_version', 9)
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
            description: "an index that was broken off",
            sql: #"UPDATE pg_index SET indisvalid = false WHERE indexrelid = '"zumod_Soft.text"'::regclass"#,
            words: "its index zumod_Soft.text is not valid"),
        Damage(
            description: "a lost function", sql: "DROP FUNCTION zumod_round",
            words: "the function zumod_round is missing"),
        Damage(
            description: "a lost secret", sql: "DELETE FROM zumod_secrets",
            words: "the secret of continuations is missing"),
        Damage(
            description: "tombstones that clients see",
            sql: #"UPDATE "Soft" SET "deleted" = true WHERE "id" = 'b'; UPDATE zumod_tables SET soft_delete = false"#,
            words: "since the table has no soft delete: 1", live: ["a", "c"]),
        Damage(
            description: "a row that is neither live nor deleted",
            sql: """
                ALTER TABLE "Soft" ALTER COLUMN "deleted" DROP NOT NULL; ALTER TABLE "Soft" DISABLE TRIGGER USER;
                UPDATE "Soft" SET "deleted" = NULL WHERE "id" = 'b'; ALTER TABLE "Soft" ENABLE TRIGGER USER
                """, words: "1 of its rows have a null in the column deleted"),
        Damage(
            description: "a stamp between two milliseconds",
            sql: """
                ALTER TABLE "Soft" ALTER COLUMN "updatedAt" TYPE timestamptz; ALTER TABLE "Soft" DISABLE TRIGGER USER;
                UPDATE "Soft" SET "updatedAt" = "updatedAt" + interval '7 microseconds' WHERE "id" = 'b';
                ALTER TABLE "Soft" ENABLE TRIGGER USER
                """, words: "1 of its rows have stamps between two milliseconds"),
        Damage(
            description: "a loss that nobody answered",
            sql: "INSERT INTO zumod_losses VALUES ('Soft', 0, 'zumod_deleted')", words: "zumod_deleted"),
        Damage(
            description: "an infinite date",
            sql: #"ALTER TABLE "Soft" ADD COLUMN "due" date; UPDATE "Soft" SET "due" = 'infinity' WHERE "id" = 'b'"#,
            words: "its column due has dates beyond the years 1 to 9999: 1, in rows such as b"),
        Damage(
            description: "a time in another spelling",
            sql: #"ALTER TABLE "Soft" ADD COLUMN "at" zumod_time; UPDATE "Soft" SET "at" = '10:15' WHERE "id" = 'b'"#,
            words: "its column at has times of day in another spelling than the server's: 1, in rows such as b"),
        Damage(
            description: "a rule", sql: #"CREATE RULE kept AS ON DELETE TO "Soft" DO INSTEAD NOTHING"#,
            words: "its rule kept does something else in the place of writes"),
        Damage(
            description: "a column that is computed",
            sql: #"ALTER TABLE "Soft" ADD COLUMN "size" int8 GENERATED ALWAYS AS (length("text")) STORED"#,
            words: "its column size is generated, and can't be written"),
        Damage(
            description: "an older schema", sql: "DELETE FROM zumod_migrations WHERE number = 5",
            words: "the schema is not this version's"),
    ]

    @Test(arguments: damages) func `finds each damage and says what to do`(_ damage: Damage) async throws {
        let backend = try await PostgresBackend.prepared()
        defer { backend.remove() }
        try await Self.fill(backend)
        try await backend.runUnseen(damage.sql)
        let findings = try await PostgresVerification.findings(at: backend.url, tables: Self.definitions)
        let found = try #require(findings.first { $0.problem.contains(damage.words) }, "\(findings)")
        #expect(!found.advice.isEmpty)
    }

    @Test func `finds nothing in a database that was used as it is meant to be`() async throws {
        let backend = try await PostgresBackend.prepared()
        defer { backend.remove() }
        try await Self.fill(backend)
        try await backend.run(#"UPDATE "Soft" SET "text" = 'shell'; INSERT INTO "Soft" ("text") VALUES ('new')"#)
        // The tests' server forgets on purpose what it acknowledged.
        let findings = try await PostgresVerification.findings(at: backend.url, tables: Self.definitions)
            .filter { !$0.problem.contains("the server's setting") }
        #expect(findings == [])
    }

    /// Numbers near their ends, as another version of the server or a shell may have left them.
    static let ends = [
        Damage(
            description: "stamps",
            sql: """
                ALTER TABLE zumod_tables DROP CONSTRAINT zumod_stamps_end;
                UPDATE zumod_tables SET last_stamp = 9223372036854775807;
                UPDATE "Soft" SET "version" = 900, "updatedAt" = 'infinity' WHERE "id" = 'b';
                SELECT setval('zumod_version', 900)
                """, words: "its stamps are near their end (9999-12-31T23:59:59.999Z)"),
        Damage(
            description: "ids",
            sql: """
                ALTER SEQUENCE "Numbered_id_seq" MAXVALUE 9223372036854775807;
                INSERT INTO "Numbered" ("id") VALUES (9223372036854775807)
                """, words: "its ids are near their end (9223372036854775807)"),
        Damage(
            description: "a sequence",
            sql: """
                ALTER SEQUENCE "Numbered_id_seq" MAXVALUE 9223372036854775807;
                SELECT setval('"Numbered_id_seq"', 9223372036854775806)
                """, words: "its ids are near their end (9223372036854775806)"),
        Damage(
            description: "versions",
            sql: """
                UPDATE "Soft" SET "version" = 9223372036854775807 WHERE "id" = 'b';
                SELECT setval('zumod_version', 9223372036854775807)
                """, words: "the versions are near their end (9223372036854775807)"),
    ]

    @Test(arguments: ends) func `finds numbers near their end, and the remedy mends them`(_ damage: Damage) async throws
    {
        let backend = try await PostgresBackend.prepared()
        defer { backend.remove() }
        try await Self.fill(backend)
        try await backend.runUnseen(damage.sql)
        let findings = try await PostgresVerification.findings(at: backend.url, tables: Self.definitions)
        for found in findings where found.problem.contains("near") {
            #expect(damage.words.contains(found.problem.prefix(20)))
            try await backend.run(found.lines.dropFirst(2).joined(separator: "\n"))
        }
        #expect(findings.contains { $0.problem.contains(damage.words) }, "\(findings)")
        let store = try await backend.open(Self.definitions)
        let table = try #require(store.table(named: "Soft"))
        #expect(try await store.insert([], id: .text("new"), in: table, into: RecordedRows()).outcome == .written)
        let numbered = try #require(store.table(named: "Numbered"))
        #expect(try await store.insert([], id: nil, in: numbered, into: RecordedRows()).outcome == .written)
        try await backend.close(store)
        let left = try await PostgresVerification.findings(at: backend.url, tables: Self.definitions)
        #expect(left.filter { !$0.problem.contains("the server's setting") } == [])
    }

    static var definitions: [TableDefinition] {
        var numbered = TableDefinition(name: "Numbered")
        numbered.rules.autoIncrement = true
        return [definition, numbered]
    }

    private static var definition: TableDefinition {
        var definition = TableDefinition(
            name: "Soft",
            columns: [
                Column("text", .string), Column("note", .string), Column(Identifier(stringLiteral: long), .string),
            ], indexes: [["text"]])
        definition.rules.softDelete = true
        return definition
    }

    static func fill(_ backend: PostgresBackend) async throws {
        let store = try await backend.open(definitions, clock: { Instant(milliseconds: 1_800_000_000_000) })
        let table = try #require(store.table(named: "Soft"))
        for id in ["a", "b", "c"] {
            _ = try await store.insert(
                [Property("text", .text(id))], id: .text(id), deleted: false, scope: nil, in: table,
                into: RecordedRows())
        }
        let numbered = try #require(store.table(named: "Numbered"))
        for _ in 1...2 {
            _ = try await store.insert([], id: nil, deleted: false, scope: nil, in: numbered, into: RecordedRows())
        }
        try await backend.close(store)
    }
}
