import Scalars
import TableSQL
public import Tables

extension PostgresTableStore: NumberedStore {
    /// Moves them one by one: PostgreSQL's sequences know no transaction, and what moved twice is as good.
    public func moveNumbersOn(by lead: NumberGap) async throws(TableError) -> [String] {
        try watch.check()
        return try await pool.run(isPatient: true) { [clock] connection throws(PostgresFailure) in
            var mover = NumberAdvance(connection: connection, lead: lead, now: clock())
            try mover.run()
            return mover.full
        }
    }

    /// Whether zumod has ever served the database.
    public static func isOfZumod(_ url: String) async throws(TableError) -> Bool {
        try await SchemaTask.run(url) { connection throws(PostgresFailure) in
            try SchemaVersionStatus(on: connection).isKnown
        }
    }
}

private struct NumberAdvance {
    let connection: PostgresConnection
    let lead: NumberGap
    let now: Instant
    private let dialect = PostgresDialect()
    /// What there was no room for.
    private(set) var full: [String] = []

    mutating func run() throws(PostgresFailure) {
        var version = try connection.lastVersion() ?? 0
        for table in try connection.registeredTables() {
            let name = table.name
            guard let schema = try connection.schema(of: name) else { continue }
            let highest = try connection.rows(of: InvariantStatement.highest(of: name, dialect: dialect)).first
            version = max(version, highest?.integer(1) ?? 0)
            try moveStamps(of: name, behind: max(now, highest?.date(0) ?? now))
            if schema.hasIntegerID { try moveIDs(of: name) }
        }
        let moved = NumberGap.move(version, by: lead.versions, within: .max)
        if !moved.hasRoom { full.append(NumberGap.noRoomForVersions) }
        _ = try connection.run(
            SQLText(
                text: "SELECT setval('zumod_version', greatest(last_value, $1::int8)) FROM zumod_version",
                bindings: [.integer(moved.number)]))
    }

    private mutating func moveStamps(of table: Identifier, behind latest: Instant) throws(PostgresFailure) {
        let before = try connection.run(
            SQLText(text: "SELECT last_stamp FROM zumod_tables WHERE name = $1::text", bindings: [.text(table.text)]))
        guard before.rowCount > 0 else { return }
        let last = max(before.integer(0, 0), latest.milliseconds)
        let moved = NumberGap.move(last, by: lead.milliseconds, within: Instant.last.milliseconds)
        if !moved.hasRoom { full.append(NumberGap.noRoom(forStampsOf: table)) }
        _ = try connection.run(
            SQLText(
                text: "UPDATE zumod_tables SET last_stamp = least(greatest(last_stamp, $1::int8), $2::int8) "
                    + "WHERE name = $3::text",
                bindings: [.integer(moved.number), .integer(Instant.last.milliseconds), .text(table.text)]))
    }

    private mutating func moveIDs(of table: Identifier) throws(PostgresFailure) {
        let highest = try connection.rows(of: InvariantStatement.highestNumber(of: table, dialect: dialect)).first
        let last = max(try connection.lastNumber(of: table) ?? 0, highest?.integer(0) ?? 0)
        // Another program's column may have fewer bits.
        guard let end = try GeneratedNumbers.end(of: table, on: connection) else { return }
        let moved = NumberGap.move(last, by: lead.ids, within: min(end, RowID.highestNumber))
        if !moved.hasRoom { full.append(NumberGap.noRoom(forIDsOf: table, after: last)) }
        _ = try connection.run(GeneratedNumbers.skip(to: min(moved.number, end), of: table))
    }
}
