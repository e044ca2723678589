import TableSQL
import Tables

/// Changes to the schema, in one transaction and by one server at a time.
struct SchemaTransaction {
    let connection: PostgresConnection
    /// Whether waiting for another server, or creating an index, may take long because no client is waiting.
    var isPatient = true

    /// The version number of the oldest supported server.
    private static let oldestServer = 150_000
    /// Distinguishes zumod's advisory locks from others. The second half is the schema's.
    private static let lock = 0x7A75_6D6F

    /// Runs a body in a transaction. The whole may be run again.
    /// - Parameter keeps: whether to commit the body's changes.
    func run<Success>(
        keeps: Bool = true, _ body: (PostgresConnection) throws(PostgresFailure) -> Success
    ) throws(PostgresFailure) -> Success {
        do throws(PostgresFailure) {
            let begin: [SQLText] = [
                .begin, SessionSettings.ofTransaction,
                SQLText(isPatient ? "SET LOCAL statement_timeout = 0" : "SELECT 1"),
                .ownWrites, SQLText(Self.check),
            ]
            let results = try connection.run(begin + connection.durableSettings)
            try Self.checkServer(results[4])
            _ = try connection.run("SELECT pg_advisory_xact_lock(\(Self.lock), hashtext(current_schema()))")
            // A trial may wait for a writer, while others wait for its locks, but not for long.
            if !keeps { _ = try connection.run("SET LOCAL lock_timeout = '2s'") }
            let success = try body(connection)
            _ = try connection.run(keeps ? "COMMIT" : "ROLLBACK")
            return success
        } catch {
            connection.rollback()
            guard !keeps, case .refused(let state, _) = error, state.meaning == .locked else { throw error }
            let detail = "another session keeps a table locked, such as an open transaction of psql"
            throw .table(.unavailable(detail: detail))
        }
    }

    private static let check = """
        SELECT current_setting('server_version_num')::int8, current_setting('server_encoding'),
            coalesce(current_schema(), '')::text
        """

    private static func checkServer(_ result: PostgresResult) throws(PostgresFailure) {
        guard result.integer(0, 0) >= oldestServer else {
            throw .table(.definition("zumod needs PostgreSQL 15 or later"))
        }
        guard result.string(0, 1) == "UTF8" else {
            throw .table(.definition("the database's encoding is \(result.string(0, 1)), but zumod needs UTF8"))
        }
        guard !result.string(0, 2).isEmpty else {
            throw .table(.definition("the search path of the database's user names no schema that exists"))
        }
    }
}
