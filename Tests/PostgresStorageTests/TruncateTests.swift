import PostgresStorage
import PostgresTesting
import StorageTesting
import Tables
import Testing

@Suite(.enabled(if: PostgresBackend.server != nil, "no server is given: run scripts/test-postgres"))
struct `Truncating a table of PostgreSQL` {
    @Test func `is refused where devices would never learn of it`() async throws {
        let backend = try await PostgresBackend.prepared()
        defer { backend.remove() }
        var soft = TableDefinition(name: "Soft")
        soft.rules.softDelete = true
        let store = try await backend.open([soft, TableDefinition(name: "Hard")])
        for name in ["Soft", "Hard"] { try await backend.run(#"INSERT INTO "\#(name)" ("id") VALUES ('a')"#) }
        await #expect(throws: (any Error).self) { try await backend.run(#"TRUNCATE "Soft""#) }
        try await backend.run(#"TRUNCATE "Hard""#)
        let counts = #"SELECT (SELECT count(*) FROM "Soft"), (SELECT count(*) FROM "Hard")"#
        #expect(try await RawSession(backend.url).run(counts) == [["1", "0"]])
        try await backend.run(#"BEGIN; SET LOCAL zumod.writes = 'on'; TRUNCATE "Soft"; COMMIT"#)
        #expect(try await RawSession(backend.url).run(counts) == [["0", "0"]])
        try await backend.close(store)
    }
}
