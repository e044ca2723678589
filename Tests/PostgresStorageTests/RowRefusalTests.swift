import OData
import PostgresStorage
import PostgresTesting
import StorageTesting
import Tables
import Testing

@Suite(.enabled(if: PostgresBackend.server != nil, "no server is given: run scripts/test-postgres"))
struct `Rows that a rule of PostgreSQL refuses` {
    @Test func `are told apart from failures of the database, and nothing of them is written`() async throws {
        let definition = TableDefinition(name: "Item", columns: [Column("text", .string), Column("size", .integer)])
        let backend = try await PostgresBackend.prepared()
        defer { backend.remove() }
        let store = try await backend.open([definition])
        try await backend.run(
            """
            CREATE TABLE owner (name text PRIMARY KEY);
            INSERT INTO owner VALUES ('x'), ('y'), ('negative'), ('');
            ALTER TABLE "Item" ADD UNIQUE ("text"), ADD CHECK ("size" >= 0), ALTER COLUMN "text" TYPE varchar(8),
                ALTER COLUMN "text" SET NOT NULL, ADD FOREIGN KEY ("text") REFERENCES owner;
            CREATE FUNCTION silent() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                IF NEW."size" = 98 THEN RAISE 'no'; END IF;
                RETURN CASE NEW."size" WHEN 99 THEN NULL ELSE NEW END;
            END $$;
            CREATE TRIGGER a_silent BEFORE INSERT ON "Item" FOR EACH ROW EXECUTE FUNCTION silent();
            """)
        let table = try #require(store.table(named: "Item"))
        func insert(_ id: String, _ text: String?, _ size: Int64) async throws -> RowRefusal? {
            let text = text.map(Value.text) ?? .null
            return try await store.refusal(ofInserting: id, ["text": text, "size": .integer(size)], into: table)
        }
        #expect(try await insert("a", "x", 1) == nil)
        #expect(try await insert("b", "x", 1) == .taken)
        #expect(try await insert("b", nil, 1) == .missingValue)
        #expect(try await insert("b", "negative", -1) == .rule)
        #expect(try await insert("b", "y", 98) == .rule)
        #expect(try await insert("b", "y", 99) == .rule)
        #expect(try await insert("b", "nobody", 1) == .reference)
        #expect(try await insert("b", "much too long", 1) == .tooLong)
        try await backend.run(#"ALTER TABLE "Item" ALTER COLUMN "size" TYPE smallint"#)
        #expect(try await insert("b", "y", 70_000) == .outOfRange)
        #expect(try await store.find(.text("b"), in: table, includeDeleted: true, into: RecordedRows()) == nil)
        try await backend.close(store)
    }

    @Test func `are not those that the server's own records end`() async throws {
        let backend = try await PostgresBackend.prepared()
        defer { backend.remove() }
        let store = try await backend.open([TableDefinition(name: "Item")])
        try await backend.run("UPDATE zumod_tables SET last_stamp = 253402300799999")
        let table = try #require(store.table(named: "Item"))
        await #expect(throws: TableError.self) {
            _ = try await store.refusal(ofInserting: "a", [:], into: table)
        }
        try await backend.close(store)
    }

    @Test func `a column that can't be served gets no second one beside it`() async throws {
        let backend = try await PostgresBackend.prepared()
        defer { backend.remove() }
        let store = try await backend.open([TableDefinition(name: "Item", columns: [Column("text", .string)])])
        try await backend.run(#"CREATE TYPE mood AS ENUM ('a', 'b'); ALTER TABLE "Item" ADD COLUMN m mood"#)
        let table = try #require(store.table(named: "Item"))
        for name in ["m", "M"] {
            await #expect(throws: TableError.unknownProperty(name)) {
                _ = try await store.insert(
                    [Property(name, .text("a"))], id: .text("a"), in: table, into: RecordedRows())
            }
        }
        let other = try await store.insert(
            [Property("n", .text("a"))], id: .text("a"), in: table, into: RecordedRows())
        #expect(other.outcome == .written)
        try await backend.close(store)
    }
}
