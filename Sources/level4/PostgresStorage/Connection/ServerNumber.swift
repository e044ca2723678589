import TableSQL
import Tables

/// The number of a running server among those that use its database. Its sessions hold it as an advisory lock, which
/// tells others whose they are; and the server regularly records in `zumod_servers` that it is alive.
struct ServerNumber: Sendable {
    let value = Int64.random(in: 1...Int64(Int32.max))

    /// Distinguishes these locks from those of the schema.
    private static let lock = 0x7A75_6D70
    /// The seconds of silence before others end a server's transactions: several heartbeats, by the database clock.
    static let silence = 6

    /// The column that takes the lock at the start of a kept session.
    var ofSession: String { "pg_advisory_lock_shared(\(Self.lock), \(value))" }
    /// The column that takes the lock at the start of a transaction if sessions aren't kept.
    var ofTransaction: String { "pg_advisory_xact_lock_shared(\(Self.lock), \(value))" }

    /// Reports that the server is alive. If that fails, silent transactions still end by their own time limit. A report
    /// lost in a crash is repeated.
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

    /// Ends the writing transactions of servers that have long been silent: otherwise they would hold their locks for
    /// as long as the system keeps a dead connection. Sessions of other programs hold no such number.
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
