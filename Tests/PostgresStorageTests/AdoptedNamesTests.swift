import PostgresStorage
import PostgresTesting
import StorageTesting
import Tables
import Testing

@Suite(.enabled(if: PostgresBackend.server != nil, "no server is given: run scripts/test-postgres"))
struct `Adopting a table of any name` {
    @Test(arguments: ["t", "o", "old", "order", "User", "text", "total"])
    func `whose columns have names that the statement uses itself`(name: String) async throws {
        let backend = try await PostgresBackend.prepared()
        defer { backend.remove() }
        let columns = ["place", "total", "t", "o", "old", "new", "order", "text", "stamp"]
        try await backend.run(
            """
            CREATE TABLE "\(name)" (id text PRIMARY KEY, \(columns.map { "\"\($0)\" text" }.joined(separator: ", ")));
            INSERT INTO "\(name)" (id, total) VALUES ('a', '1'), ('b', '2')
            """)
        let table = try #require(Identifier(String(name)))
        try await PostgresAdoption.plan(table, softDelete: true, url: backend.url).perform()
        var definition = TableDefinition(name: table)
        definition.rules.softDelete = true
        let store = try await backend.open([definition])
        let served = try #require(store.table(named: table))
        #expect(served.columns.map(\.name.text) == columns)
        let rows = try await store.list(TableQuery(limit: 10), in: served, into: RecordedRows()).rows
        #expect(rows.rows.map { $0["total"] } == [.text("1"), .text("2")] && Set(rows.stamps).count == 2)
        try await backend.close(store)
    }
}
