public import StoreMetrics
import TableSQL
public import Tables
import WorkThreads

extension SQLiteTableStore: MeasuredStore {
    /// Read from memory.
    public var load: StoreLoad {
        var load = StoreLoad()
        let lists = pool.load
        load.waiting = [.lists: lists.waiting + lists.quick, .writes: writer.count]
        load.runningLists = lists.running
        return load
    }

    /// A count reads the smallest index of a table completely.
    public var countInterval: Duration { .seconds(600) }

    /// How long counting one table may take.
    private static let countLimit = Duration.seconds(2)

    /// Counts tables one after another, while no client is waiting for a list. A table that takes too long is left out.
    public func rowCounts() async throws(TableError) -> [Identifier: RowCount] {
        var counts: [Identifier: RowCount] = [:]
        for table in tables() {
            if Task.isCancelled { break }
            do throws(TableError) {
                let rows = try await count(table)
                let isLive: SQLFragment = " WHERE \"deleted\" = \(.boolean(false))"
                let live = table.rules.softDelete ? try await count(table, isLive) : rows
                counts[table.name] = RowCount(rows: rows, tombstones: max(rows - live, 0))
            } catch {
                guard case .timeout = error else { throw error }
            }
        }
        return counts
    }

    private func count(_ table: Table, _ condition: SQLFragment = "") async throws(TableError) -> Int64 {
        try await readInPool(limit: Self.countLimit) { connection throws(TableError) in
            try connection.rows(of: "SELECT count(*) FROM \(table.name)\(condition)").first?.integer(0) ?? 0
        }
    }
}
