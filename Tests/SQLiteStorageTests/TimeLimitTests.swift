import OData
import SQLiteStorage
import StorageTesting
import Tables
import Testing

@Suite("The time limit of a list") struct TimeLimitTests {
    private static let definition = TableDefinition(name: "things", columns: [Column("title", .string)])

    private static func fill(_ store: SQLiteTableStore, rows: Int) async throws -> Table {
        let table = try #require(store.table(named: "things"))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for row in 0..<rows {
                group.addTask {
                    let title = Property("title", .text("title \(row)"))
                    _ = try await store.insert([title], id: .text("\(row)"), in: table, into: RecordedRows())
                }
            }
            try await group.waitForAll()
        }
        return table
    }

    @Test(arguments: [true, false], [true, false])
    func `a list over the limit is given up, and the connection is good for more`(
        inFile: Bool, wantsCount: Bool
    ) async throws {
        let backend = SQLiteBackend.inFile()
        defer { backend.remove() }
        let store = try SQLiteTableStore.open(
            inFile ? backend.location : .memory, tables: [Self.definition], servesClientTables: false,
            queryTimeLimit: .zero)
        let table = try await Self.fill(store, rows: 500)
        var query = TableQuery(limit: 10)
        query.filter = try QueryOptions.parse([("$filter", "substringof('none',title)")]).filter
        query.wantsCount = wantsCount
        let slow = query
        for _ in 0..<3 {
            await #expect(throws: TableError.timeout) {
                _ = try await store.list(slow, in: table, into: RecordedRows())
            }
            let found = try await store.find(
                .text("7"), in: table, includeDeleted: false, into: RecordedRows())
            #expect(found?.row["title"] == .text("title 7"))
            #expect(try await Self.count(of: table, in: store) == 1)
        }
        await store.close()
    }

    /// How many rows a short list has. With no time at all, it too is late if it had to wait for its thread, and is
    /// asked for again.
    private static func count(of table: Table, in store: SQLiteTableStore) async throws -> Int {
        var page: Page<RecordedRows>?
        for _ in 0..<1_000 where page == nil {
            do { page = try await store.list(TableQuery(limit: 1), in: table, into: RecordedRows()) } catch .timeout {}
        }
        return try #require(page).rowCount
    }

    @Test func `a list within the limit is answered`() async throws {
        let store = try SQLiteTableStore.open(
            .memory, tables: [Self.definition], servesClientTables: false, queryTimeLimit: .seconds(600))
        let table = try await Self.fill(store, rows: 500)
        #expect(try await store.list(TableQuery(limit: 1_000), in: table, into: RecordedRows()).rowCount == 500)
        await store.close()
    }

    @Test func `the key of continuations is the database's own and outlives the store`() async throws {
        let backend = SQLiteBackend.inFile()
        defer { backend.remove() }
        var keys: [[UInt8]] = []
        for _ in 0..<2 {
            let store = try SQLiteTableStore.open(backend.location, tables: [], servesClientTables: false)
            keys.append(try await store.continuationKey())
            await store.close()
        }
        let other = try SQLiteTableStore.open(.memory, tables: [], servesClientTables: false)
        keys.append(try await other.continuationKey())
        #expect(keys[0].count == 32 && keys[0] == keys[1] && keys[2] != keys[0])
        #expect(Set(keys[0]).count > 8)
        await other.close()
    }
}
