import OData
import TableSQL
public import Tables

extension PostgresTableStore: NumberedStore {
    /// Moves them one by one: PostgreSQL's sequences know no transaction, and what moved twice is as good.
    public func moveNumbersOn(by lead: NumberLead) async throws(TableError) {
        try watch.check()
        try await pool.run(isPatient: true) { [clock] connection throws(PostgresFailure) in
            let now = clock().milliseconds
            var version = try connection.run("SELECT last_value FROM zumod_version").integer(0, 0)
            let tables = try connection.run("SELECT name FROM zumod_tables")
            for row in 0..<tables.rowCount {
                guard let name = Identifier(tables.string(row, 0)),
                    let schema = try TableSchema(of: name, on: connection)
                else { continue }
                let dialect = PostgresDialect()
                let highest = try connection.run(InvariantStatement.highest(of: name, dialect: dialect))
                var latest = now
                if !highest.isNull(0, 0) {
                    latest = max(latest, StoredDate.instant(microseconds: highest.integer(0, 0)).milliseconds)
                    version = max(version, highest.integer(0, 1))
                }
                _ = try connection.run(
                    SQLText(
                        text: """
                            UPDATE zumod_tables SET last_stamp = greatest(last_stamp, $1::int8) + $2::int8
                            WHERE name = $3::text
                            """, bindings: [.integer(latest), .integer(lead.milliseconds), .text(name.text)]))
                guard schema.hasIntegerID else { continue }
                let number = try connection.run(InvariantStatement.highestNumber(of: name, dialect: dialect))
                let last = max(
                    try GivenNumbers.last(of: name, on: connection) ?? 0, number.isNull(0, 0) ? 0 : number.integer(0, 0)
                )
                _ = try connection.run(GivenNumbers.skip(to: last + lead.ids, of: name))
            }
            guard version <= ImportRow.highestVersion.counter else {
                let detail = "the database has a version beyond \(ImportRow.highestVersion.counter)"
                throw .table(.failed(detail: detail))
            }
            _ = try connection.run(
                SQLText(
                    text:
                        "SELECT setval('zumod_version', greatest(last_value, $1::int8) + $2::int8) FROM zumod_version",
                    bindings: [.integer(version), .integer(lead.versions)]))
        }
    }

    /// Whether zumod has ever served the database.
    public static func isOfZumod(_ url: String) async throws(TableError) -> Bool {
        try await SchemaTask.run(url) { connection throws(PostgresFailure) in try SchemaAge(on: connection).isKnown }
    }
}
