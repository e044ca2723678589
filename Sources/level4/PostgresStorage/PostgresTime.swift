public import Scalars
import TableSQL
public import Tables

extension PostgresTableStore: TimeStore, StampStore {
    /// Also asks the server for its clock, which may be that of another machine.
    public func timeReading() async throws(TableError) -> TimeReading {
        let row = try await quickRows(
            of: """
                SELECT \(SQLFragment(stringLiteral: DatabaseClock.reading)), (SELECT believed FROM zumod_clock), \
                (SELECT max(last_stamp) FROM zumod_tables WHERE last_stamp > 0)
                """
        ).first
        return TimeReading(clock: row?.instant(0), believed: row?.instant(1), latestStamp: row?.instant(2))
    }

    /// Runs on a thread that no list keeps waiting.
    public func remember(believed: Instant) async throws(TableError) {
        _ = try await quickRows(
            of: """
                INSERT INTO zumod_clock (believed) VALUES (\(.integer(believed.milliseconds))) \
                ON CONFLICT (is_only) DO UPDATE SET believed = greatest(zumod_clock.believed, excluded.believed)
                """)
    }

    /// Removes the entries of servers and writers that are gone.
    public func forgetWriters(before: Instant) async throws(TableError) {
        _ = try await quickRows(of: "DELETE FROM zumod_writers WHERE written_at < \(.date(before))")
        _ = try await quickRows(of: "DELETE FROM zumod_servers WHERE seen_at < \(.date(before))")
    }
}
