import TableSQL
import Tables

/// Finds out which session keeps a writer from its locks: the one at the root of the chain, which itself waits for
/// none. It works without the right to see what other roles do, but then says less.
enum LockHolder {
    /// Returns who holds the whole table, or the list of tables, or is waiting for that ahead of the writers: LOCK
    /// TABLE, ALTER TABLE and the like.
    static func ofRelation(_ table: Identifier, waitedFor time: Duration) -> SQLText {
        let modes = ["ShareLock", "ShareRowExclusiveLock", "ExclusiveLock", "AccessExclusiveLock"]
        return locks(on: ["to_regclass($1::text)", "to_regclass('zumod_tables')"], of: table, modes, time)
    }

    /// Returns who uses the table in any way, or is waiting for it ahead of the writers.
    static func ofAny(_ table: Identifier, waitedFor time: Duration) -> SQLText { locks(of: table, nil, time) }

    /// Returns who has the table's turn.
    static func ofTurn(_ table: Identifier, waitedFor time: Duration) -> SQLText {
        words(
            """
            SELECT l.pid, l.granted FROM zumod_tables t JOIN pg_locks l ON l.transactionid = t.xmax AND l.granted
            WHERE t.name = $1::text
            """, table.text, time)
    }

    /// Returns who has held a row of the table for longest: SELECT FOR UPDATE, UPDATE and the like.
    static func ofRow(_ table: Identifier, waitedFor time: Duration) -> SQLText {
        locks(of: table, ["RowShareLock", "RowExclusiveLock"], time)
    }

    private static func locks(
        on relations: [String] = ["to_regclass($1::text)"], of table: Identifier, _ modes: [String]?, _ time: Duration
    ) -> SQLText {
        let modes = modes.map { " AND mode IN (\($0.map { "'\($0)'" }.joined(separator: ", ")))" } ?? ""
        return words(
            """
            SELECT pid, granted FROM pg_locks
            WHERE locktype = 'relation' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
                AND relation IN (\(relations.joined(separator: ", ")))\(modes)
            """, "\"\(PostgresName.physical(table.text))\"", time)
    }

    /// Describes the first of some sessions, or the one at the end of the chain it waits for; no row if there is none
    /// now.
    /// - Parameters:
    ///   - sessions: selects their process, and whether they already hold the lock.
    ///   - time: how long the writer has waited for the lock. A session that began later isn't to blame: it may be
    ///     another writer that is about to wait for the same lock.
    private static func words(_ sessions: String, _ binding: String, _ time: Duration) -> SQLText {
        SQLText(
            """
            WITH RECURSIVE chain (pid, granted, blockers) AS (
                SELECT pid, granted, pg_blocking_pids(pid) FROM (\(sessions)) s WHERE pid <> pg_backend_pid()
                UNION SELECT b, granted, pg_blocking_pids(b) FROM chain CROSS JOIN unnest(blockers) b
            )
            SELECT 'session ' || a.pid || coalesce(' of ' || nullif(a.application_name, ''), '')
                || coalesce(', ' || a.state, '')
                || coalesce(' for ' || extract(epoch FROM clock_timestamp() - a.xact_start)::int8 || ' s', '')
            FROM chain c JOIN pg_stat_activity a ON a.pid = c.pid
            WHERE cardinality(blockers) = 0
                AND coalesce(a.xact_start <= clock_timestamp() - $2::int8 * interval '1 millisecond', true)
            ORDER BY granted DESC, a.xact_start LIMIT 1
            """, [.text(binding), .integer(time.milliseconds)])
    }
}
