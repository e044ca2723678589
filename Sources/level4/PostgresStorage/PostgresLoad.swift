public import StoreMetrics
import TableSQL
public import Tables
import WorkThreads

extension PostgresTableStore: MeasuredStore {
    /// Read from memory.
    public var load: StoreLoad {
        var load = StoreLoad()
        let reads = pool.load
        let pool = connections.load
        load.waiting = [.reads: reads.quick, .lists: reads.waiting, .writes: writers.waitingCount]
        load.runningLists = reads.running
        load.connections = [
            ("idle", pool.idle), ("reading", pool.reading), ("listing", pool.listing), ("writing", pool.writing),
        ]
        load.connectionLimit = pool.limit
        load.connectionWaiters = pool.waiting
        load.failedConnections = pool.failures
        return load
    }

    /// One statement reads what the server gathers anyway.
    public var countInterval: Duration { .seconds(60) }

    /// Reads the server's statistics: how many rows a table has, and the share of tombstones in its last analysis.
    public func rowCounts() async throws(TableError) -> [Identifier: RowCount] {
        let served = Dictionary(
            tables().map { ($0.name, $0.rules.softDelete) }, uniquingKeysWith: { first, _ in first })
        var counts: [Identifier: RowCount] = [:]
        for row in try await quickRows(of: Self.estimates) {
            // Negative if neither vacuum nor analysis has seen the table yet.
            guard let name = Identifier(row.words(0)), let isSoft = served[name], let count = row.integer(1), count >= 0
            else { continue }
            let share = Double(row.integer(2) ?? 0) / 1_000_000
            counts[name] = RowCount(
                rows: count, tombstones: !isSoft ? 0 : share < 0 ? nil : Int64((Double(count) * share).rounded()))
        }
        return counts
    }

    /// Name, rows, and the millionths of them that are tombstones; negative if unknown.
    private static let estimates: SQLFragment = """
        SELECT t.name,
            CASE WHEN coalesce(s.n_live_tup, 0) > 0 THEN s.n_live_tup ELSE c.reltuples::int8 END,
            CASE WHEN a.attname IS NULL THEN -1
                ELSE coalesce((a.most_common_freqs[array_position(a.most_common_vals::text::text[], 't')] * 1000000), 0)
            END::int8
        FROM zumod_tables t
        JOIN pg_class c ON c.oid = to_regclass(format('%I', t.relation))
        LEFT JOIN pg_stat_user_tables s ON s.relid = c.oid
        LEFT JOIN pg_stats a ON a.schemaname = current_schema() AND a.tablename = c.relname
            AND a.attname = 'deleted'
        """
}
