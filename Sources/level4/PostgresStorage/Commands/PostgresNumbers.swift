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
}
