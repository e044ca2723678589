import TableSQL
public import Tables

extension PostgresTableStore: NumberedStore {
    /// Moves the numbers one by one: PostgreSQL's sequences aren't transactional, and moving them twice does no harm.
    public func moveNumbersOn(by lead: NumberGap) async throws(TableError) -> [String] {
        try await ready(pool).run(isPatient: true) { [clock] connection throws(PostgresFailure) in
            try connection.moveNumbersOn(by: lead, now: clock())
        }
    }

    /// Whether zumod has ever served the database.
    public static func isOfZumod(_ url: String) async throws(TableError) -> Bool {
        try await SchemaTask.run(url) { connection throws(PostgresFailure) in
            try SchemaVersionStatus(on: connection).isKnown
        }
    }

    /// Whether a server runs on the database: each writes down every second that it is alive. What it wrote before is in
    /// a backup too, so that only what it writes now counts.
    public static func isServed(_ url: String) async throws(TableError) -> Bool {
        func latest() async throws(TableError) -> String? {
            try await SchemaTask.run(url) { connection throws(PostgresFailure) in
                guard try connection.has("zumod_servers") else { return nil }
                let seen = try connection.run(
                    """
                    SELECT seen_at::text FROM zumod_servers
                    WHERE seen_at > clock_timestamp() - interval '\(ServerNumber.silence) seconds'
                    ORDER BY seen_at DESC LIMIT 1
                    """)
                return seen.rows.first?.words(0)
            }
        }
        guard let last = try await latest() else { return false }
        try? await Task.sleep(for: .milliseconds(2_500))
        return try await latest().map { $0 != last } ?? false
    }
}
