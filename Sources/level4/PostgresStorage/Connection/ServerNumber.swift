import TableSQL
import Tables

/// The number of a running server among those that use its database. Its sessions hold it as an advisory lock, which
/// tells others whose they are; and while the server is alive it says so in `zumod_servers`.
struct ServerNumber: Sendable {
    let value = Int64.random(in: 1...Int64(Int32.max))

    /// Distinguishes these locks from those of the schema.
    private static let lock = 0x7A75_6D70
    /// How long a server may be silent before others end its transactions: several heartbeats, by the database's clock.
    static let silence = 6

    /// What a kept session begins with, as a column.
    var ofSession: String { "pg_advisory_lock_shared(\(Self.lock), \(value))" }
    /// What a transaction begins with when sessions aren't kept, as a column.
    var ofTransaction: String { "pg_advisory_xact_lock_shared(\(Self.lock), \(value))" }

    /// Reports that the server is alive. If that fails, silent transactions still end by their own time limit. A report
    /// that a crash loses is made again.
    func beat(on connection: PostgresConnection, telling clock: DatabaseClock) {
        let report = SQLText(
            """
            INSERT INTO zumod_servers (number) VALUES ($1::int8)
            ON CONFLICT (number) DO UPDATE SET seen_at = clock_timestamp()
            RETURNING \(DatabaseClock.reading)
            """, [.integer(value)])
        let unhurried = SQLText("SET LOCAL synchronous_commit = off")
        guard let seen = try? connection.transaction([report], with: [unhurried]).first, seen.rowCount > 0 else {
            return
        }
        clock.look(seen.integer(0, 0))
    }

    /// Ends the writing transactions of servers that have long been silent: they would hold their locks for as long as
    /// the system keeps a dead connection. Sessions of other programs hold no such number.
    static let endSilent = """
        SELECT a.pid::int8, pg_terminate_backend(a.pid), extract(epoch FROM clock_timestamp() - s.seen_at)::int8
        FROM zumod_servers s
        JOIN pg_locks l ON l.locktype = 'advisory' AND l.classid = \(lock)::oid AND l.objid::int8 = s.number
            AND l.objsubid = 2 AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
        JOIN pg_stat_activity a ON a.pid = l.pid AND a.backend_xid IS NOT NULL
            AND a.usesysid = (SELECT oid FROM pg_roles WHERE rolname = current_user)
        WHERE s.seen_at < clock_timestamp() - interval '\(silence) seconds'
        """
}
