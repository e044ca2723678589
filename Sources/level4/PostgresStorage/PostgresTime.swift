public import Scalars
import TableSQL
public import Tables

extension PostgresTableStore: TimeStore {
    /// Also asks the server for its clock, which may be that of another machine.
    public func timeReading() async throws(TableError) -> TimeReading {
        try watch.check()
        return try await quickPool.run { connection throws(PostgresFailure) in
            let row = try connection.run(
                """
                SELECT \(DatabaseClock.reading), (SELECT believed FROM zumod_clock),
                    (SELECT max(last_stamp) FROM zumod_tables WHERE last_stamp > 0)
                """)
            func instant(_ column: Int) -> Instant? {
                row.isNull(0, column) ? nil : Instant(milliseconds: row.integer(0, column))
            }
            return TimeReading(clock: instant(0), believed: instant(1), latestStamp: instant(2))
        }
    }

    /// Runs on a thread of the pool.
    public func remember(believed: Instant) async throws(TableError) {
        try watch.check()
        try await quickPool.run { connection throws(PostgresFailure) in
            _ = try connection.run(
                """
                INSERT INTO zumod_clock (believed) VALUES ($1::int8)
                ON CONFLICT (is_only) DO UPDATE SET believed = greatest(zumod_clock.believed, excluded.believed)
                """, [.integer(believed.milliseconds)])
        }
    }

    /// Removes the entries of servers and writers that are gone.
    public func forgetWriters(before: Instant) async throws(TableError) {
        try watch.check()
        try await quickPool.run { connection throws(PostgresFailure) in
            for (table, column) in [("zumod_writers", "written_at"), ("zumod_servers", "seen_at")] {
                _ = try connection.run(
                    "DELETE FROM \(table) WHERE \(column) < $1::timestamptz", [.date(before)])
            }
        }
    }
}

extension PostgresTableStore: StampStore {
    /// Reads the last stamps that any server of the database has assigned.
    public func lastStamps() async throws(TableError) -> [Identifier: Instant] {
        try watch.check()
        let served = Set(catalog.all().map(\.name))
        return try await quickPool.run { connection throws(PostgresFailure) in try connection.lastStamps(of: served) }
    }
}
