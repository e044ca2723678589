import DataPage
import SQLiteStorage
import Scalars
import ServerMetrics
import Tables
import Testing

@testable import ServerApp

@Suite("The figures of tables")
struct TableOverviewTests {
    private let now = Instant(milliseconds: 1_800_000_000_000)

    @Test func `are counts as of the census, and sizes and last changes as of now`() async throws {
        var definition = TableDefinition(name: try #require(Identifier("todo")))
        definition.rules.softDelete = true
        let store = try SQLiteTableStore.open(.memory, tables: [definition], servesClientTables: false) { [now] in now }
        let table = try #require(store.table(named: definition.name))
        for id in ["a", "b", "c"] {
            var update = RowUpdate()
            update.deleted = id == "a"
            let write = RowWrite(.insert, of: .text(id), in: table.name, update)
            _ = try await store.write(write, in: table, into: RowRecord())
        }
        let census = RowCounter(store) { [now] in now }
        let overview = TableOverview(store, census)
        await census.count()
        let figures = try #require(await overview.figures()[definition.name])
        #expect(figures.rows == 2 && figures.deleted == 1 && figures.countedAt == now)
        #expect(try #require(figures.bytes) > 0)
        #expect(figures.lastChange == Instant(milliseconds: now.milliseconds + 2))
        await store.close()
        let later = try #require(await overview.figures()[definition.name])
        #expect(later.rows == 2 && later.bytes == figures.bytes && later.lastChange == nil)
    }

    @Test func `come without counts to whoever is the first to ask, and with them soon`() async throws {
        let name = try #require(Identifier("todo"))
        let store = try SQLiteTableStore.open(.memory, tables: [TableDefinition(name: name)], servesClientTables: false)
        let overview = TableOverview(store, RowCounter(store))
        var counted = await overview.figures()[name]?.rows
        while counted == nil {
            try await Task.sleep(for: .milliseconds(5))
            counted = await overview.figures()[name]?.rows
        }
        #expect(counted == 0)
        await store.close()
    }
}
