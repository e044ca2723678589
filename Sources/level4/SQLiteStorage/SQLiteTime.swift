public import Scalars
import TableSQL
public import Tables

extension SQLiteTableStore: TimeStore {
    /// A file has no clock of its own.
    public func timeReading() async throws(TableError) -> TimeReading {
        try await read { connection throws(TableError) in
            let believed = try connection.rows("SELECT value FROM zumod_counters WHERE name = 'believed'").first
            let latest = try connection.rows("SELECT max(last_stamp) FROM zumod_tables WHERE last_stamp > 0").first
            return TimeReading(believed: believed?.instant(0), latestStamp: latest?.instant(0))
        }
    }

    /// Writes on the writer's thread.
    public func remember(believed: Instant) async throws(TableError) {
        try await writer.write { session throws(TableError) in
            try session.connection.run(
                """
                INSERT INTO zumod_counters (name, value) VALUES ('believed', ?1)
                ON CONFLICT (name) DO UPDATE SET value = max(value, excluded.value)
                """, [.integer(believed.milliseconds)])
        }
    }

    /// There is only one writer, about which nothing is stored.
    public func forgetWriters(before: Instant) async throws(TableError) {}
}

extension SQLiteTableStore: StampStore {
    /// Reads on the caller's thread, as there is only one short row per table.
    public func lastStamps() async throws(TableError) -> [Identifier: Instant] {
        let served = Set(catalog.all().map(\.name))
        return try await read { connection throws(TableError) in try connection.lastStamps(of: served) }
    }
}
