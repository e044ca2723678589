import PostgresStorage
import PostgresTesting
import Scalars
import StorageTesting
import Tables
import Testing

@Suite(.enabled(if: PostgresBackend.server != nil, "no server is given: run scripts/test-postgres"))
struct `Adopting a table of PostgreSQL` {
    @Test(arguments: [
        "CREATE TABLE \"Bikes\" (id text PRIMARY KEY, name varchar(40), price numeric(8,2), tags text[], wheels int2)",
        "CREATE TABLE \"Bikes\" (name varchar(40), price numeric(8,2), tags text[], wheels int2)",
        """
        CREATE TABLE "Bikes" (name varchar(40) PRIMARY KEY, price numeric(8,2), tags text[], wheels int2, "Name" text)
        """,
        "CREATE TABLE \"Bikes\" (id serial PRIMARY KEY, name varchar(40), price numeric(8,2), tags text[], wheels int2)",
    ])
    func `its rows are served, stamped and written`(definition sql: String) async throws {
        let backend = try PostgresBackend.make()
        defer { backend.remove() }
        try await backend.run(sql)
        let ids = sql.contains("id text") ? ("id, ", "'a', ", "'b', ") : ("", "", "")
        try await backend.run(
            """
            INSERT INTO "Bikes" (\(ids.0)name, price, tags, wheels) VALUES (\(ids.1)'tandem', 1234.50, '{x}', 2),
                (\(ids.2)'trike', -0.05, NULL, 3)
            """)
        let plan = try await PostgresAdoption.plan("bikes", softDelete: true, url: backend.url)
        // Of two names that differ by case, the first is served.
        let ignored = sql.contains("\"Name\"") ? ["tags", "Name"] : ["tags"]
        #expect(plan.table.text == "Bikes" && plan.ignoredColumns == ignored)
        #expect(plan.statements.contains { $0.contains("ADD COLUMN \"version\"") })
        // A plan changes nothing.
        #expect(try await RawSession(backend.url).run("SELECT to_regclass('zumod_tables')") == [[nil]])
        try await plan.perform()
        var bikes = TableDefinition(name: "bikes")
        bikes.rules.softDelete = true
        bikes.rules.autoIncrement = sql.contains("serial")
        let store = try await backend.open([bikes])
        let table = try #require(store.table(named: "Bikes"))
        #expect(table.columns == [Column("name", .string), Column("price", .decimal), Column("wheels", .integer)])
        let rows = try await store.list(TableQuery(limit: 10), in: table, into: RecordedRows()).rows
        let prices = rows.rows.map { $0["price"] }
        #expect(
            prices == [.decimal("1234.50"), .decimal("-0.05")] || prices == [.decimal("-0.05"), .decimal("1234.50")])
        #expect(Set(rows.stamps).count == 2)
        let inserted = try await store.insert(
            [Property("name", .text("new")), Property("price", .number(2.5)), Property("wheels", .integer(1))],
            id: bikes.rules.autoIncrement ? nil : .text("c"), in: table, into: RecordedRows())
        #expect(inserted.outcome == .written && inserted.row.row["wheels"] == .integer(1))
        #expect(inserted.row.row["price"] == .decimal("2.50"))
        #expect(try #require(rows.stamps.max()) < #require(inserted.row.updatedAt?.wireText))
        try await backend.run("UPDATE \"Bikes\" SET wheels = 4")
        let edited = try await store.list(TableQuery(limit: 10), in: table, into: RecordedRows()).rows
        #expect(Set(edited.stamps).count == 3 && Set(edited.stamps).isDisjoint(with: rows.stamps))
        try await backend.run("DELETE FROM \"Bikes\" WHERE wheels = 4")
        var all = TableQuery(limit: 10)
        #expect(try await store.list(all, in: table, into: RecordedRows()).rowCount == 0)
        all.includeDeleted = true
        #expect(try await store.list(all, in: table, into: RecordedRows()).rowCount == 3)
        await #expect(throws: TableError.self) {
            _ = try await PostgresAdoption.plan("bikes", softDelete: true, url: backend.url)
        }
        try await backend.close(store)
    }

    @Test(arguments: [
        "SELECT 1", "CREATE TABLE bikes (id uuid PRIMARY KEY)", "CREATE TABLE bikes (id text)",
        "CREATE TABLE bikes (id int PRIMARY KEY)", "CREATE TABLE bikes (id text PRIMARY KEY, deleted int)",
        "CREATE TABLE bikes (id text PRIMARY KEY, updatedat timestamptz)",
    ])
    func `a table that can't be one of zumod's is refused`(definition sql: String) async throws {
        let backend = try PostgresBackend.make()
        defer { backend.remove() }
        try await backend.run(sql)
        let error = await #expect(throws: TableError.self) {
            _ = try await PostgresAdoption.plan("bikes", softDelete: false, url: backend.url)
        }
        guard case .definition = error else { throw PostgresBackend.NoServer() }
    }

    @Test(arguments: ["Bikes", "bikes"])
    func `a table of another program is refused under every spelling until it is adopted`(name: String) async throws {
        let backend = try PostgresBackend.make()
        defer { backend.remove() }
        try await backend.run("CREATE TABLE \"Bikes\" (id text PRIMARY KEY)")
        let bikes = TableDefinition(name: Identifier(name)!)
        let error = await #expect(throws: TableError.self) { _ = try await backend.open([bikes]) }
        #expect(error?.detail.hasPrefix("the database has a table Bikes that zumod did not make: ") == true)
        #expect(error?.detail.contains("`zumod table create Bikes --adopt`") == true)
        try await PostgresAdoption.plan(bikes.name, softDelete: false, url: backend.url).perform()
        let store = try await backend.open([bikes])
        #expect(store.table(named: bikes.name)?.name.text == "Bikes")
        try await backend.close(store)
    }

    @Test func `a check says what would be served and changes nothing`() async throws {
        let backend = try PostgresBackend.make()
        defer { backend.remove() }
        let items = TableDefinition(name: "Item", columns: [Column("text", .string)])
        let tables = try await PostgresTableStore.check(url: backend.url, tables: [items], servesClientTables: true)
        #expect(tables.map(\.name) == ["Item"] && tables[0].columns == items.columns)
        #expect(try await RawSession(backend.url).run("SELECT to_regclass('zumod_tables')") == [[nil]])
        var changed = items
        changed.columns = [Column("text", .number)]
        let store = try await backend.open([items])
        let error = await #expect(throws: TableError.self) {
            _ = try await PostgresTableStore.check(url: backend.url, tables: [changed], servesClientTables: true)
        }
        guard case .definition = error else { throw PostgresBackend.NoServer() }
        try await backend.close(store)
    }
}
