import Glibc
import JSONText
import OData
import SQLiteStorage
import Tables

/// Calls of the store on a SQLite file, each row durable as it is in service.
enum StoreBenchmark {
    private static let rows = 10_000

    static func run() async throws {
        let path = "/tmp/zumod-benchmark-\(getpid()).sqlite3"
        defer { for ending in ["", "-wal", "-shm"] { unsafe unlink(path + ending) } }
        var definition = TableDefinition(
            name: try BenchmarkTable.name("TodoItem"), columns: try BenchmarkTable.columns(),
            rules: BenchmarkTable.rules)
        definition.indexes = [[try BenchmarkTable.name("rank")]]
        definition.seed = (0..<rows).map { [Property("id", .text("row-\($0)"))] + BenchmarkTable.properties($0) }
        let store = try SQLiteTableStore.open(.file(path), tables: [definition], servesClientTables: false)
        guard let table = store.table(named: definition.name) else { throw BenchmarkTable.NoName() }
        try await reads(of: store, table)
        try await writes(to: store, table)
        await store.close()
    }

    private static func reads(of store: SQLiteTableStore, _ table: Table) async throws {
        try await Measurement.run("SQLite: a row found") {
            keep(
                try await store.find(
                    .text("row-5000"), in: table, select: nil, includeDeleted: false, scope: nil,
                    into: RowJSON.single()))
        }
        let members = [
            (name: "$filter", value: "(complete eq false) and (rank ge 100)"), (name: "$orderby", value: "rank"),
        ]
        try await Measurement.run("SQLite: 50 rows listed, as JSON") {
            let options = try QueryOptions.parse(members)
            var query = TableQuery(limit: 50)
            query.filter = options.filter
            query.order = options.order
            keep(try await store.list(query, in: table, into: RowJSON.list(wrapped: false)))
        }
    }

    private static func writes(to store: SQLiteTableStore, _ table: Table) async throws {
        let properties = BenchmarkTable.properties(7)
        let insert = { @Sendable in
            RowWrite(.insert, of: .text(RandomID.make()), in: table.name, RowUpdate(properties))
        }
        try await Measurement.run("SQLite: a row inserted, one caller") {
            _ = try await store.write(insert(), in: table, into: RowJSON.single())
        }
        try await Measurement.run("SQLite: a row inserted, 32 callers", calls: 32) {
            try await withThrowingTaskGroup { group in
                for _ in 0..<32 {
                    group.addTask {
                        _ = try await store.write(insert(), in: table, into: RowJSON.single())
                    }
                }
                try await group.waitForAll()
            }
        }
    }
}
