public import Scalars
import TableSQL
public import Tables

extension SQLiteTableStore: TimeStore, StampStore {
    /// A file has no clock of its own.
    public func timeReading() async throws(TableError) -> TimeReading {
        let row = try await rows(
            of: """
                SELECT (SELECT value FROM zumod_counters WHERE name = 'believed'), \
                (SELECT max(last_stamp) FROM zumod_tables WHERE last_stamp > 0)
                """
        ).first
        return TimeReading(believed: row?.instant(0), latestStamp: row?.instant(1))
    }

    /// Writes on the writer's thread.
    public func remember(believed: Instant) async throws(TableError) {
        _ = try await execute([
            """
            INSERT INTO zumod_counters (name, value) VALUES ('believed', \(.integer(believed.milliseconds))) \
            ON CONFLICT (name) DO UPDATE SET value = max(value, excluded.value)
            """
        ])
    }

    /// There is only one writer, about which nothing is stored.
    public func forgetWriters(before: Instant) async throws(TableError) {}
}
