public import Scalars
public import Tables

extension SQLConnection {
    /// Advances the version counter, and the last stamps and ids of all tables.
    /// - Returns: a sentence for each number that had no room.
    public func moveNumbersOn(by lead: NumberGap, now: Instant) throws(Failure) -> [String] {
        var full: [String] = []
        var version = try lastVersion() ?? 0
        for table in try registeredTables() {
            let name = table.name
            guard let schema = try schema(of: name) else { continue }
            let highest = try rows(of: InvariantStatement.highest(of: name)).first
            version = max(version, highest?.integer(1) ?? 0)
            try moveStamps(of: table, behind: max(now, highest?.date(0) ?? now), by: lead, &full)
            if schema.hasIntegerID { try moveIDs(of: name, by: lead, &full) }
        }
        let moved = NumberGap.move(version, by: lead.versions, within: .max)
        if !moved.hasRoom { full.append("the database's versions are \(nearEnd)") }
        _ = try rows(of: dialect.raiseVersion(to: moved.number))
        return full
    }

    private func moveStamps(
        of table: RegisteredTable, behind latest: Instant, by lead: NumberGap, _ full: inout [String]
    ) throws(Failure) {
        let end = Instant.last.milliseconds
        let moved = NumberGap.move(
            max(table.lastStamp, latest.milliseconds), by: lead.milliseconds, within: end)
        if !moved.hasRoom { full.append("the stamps of the table \(table.name) are \(nearEnd)") }
        let last = SQLFragment(.integer(min(moved.number, end)))
        _ = try rows(
            of: """
                UPDATE zumod_tables SET last_stamp = CASE WHEN last_stamp BETWEEN \(last) AND \(.integer(end)) \
                THEN last_stamp ELSE \(last) END WHERE name = \(.text(table.name.text))
                """)
    }

    private func moveIDs(of table: Identifier, by lead: NumberGap, _ full: inout [String]) throws(Failure) {
        let highest = try rows(of: InvariantStatement.highestNumber(of: table)).first
        let last = max(try lastNumber(of: table) ?? 0, highest?.integer(0) ?? 0)
        guard let end = try rows(of: dialect.numberLimit(of: table)).first?.integer(0) else { return }
        let moved = NumberGap.move(last, by: lead.ids, within: min(end, RowID.highestNumber))
        if !moved.hasRoom { full.append("the ids of the table \(table) are near their end (\(last)): \(verify)") }
        _ = try rows(of: dialect.raiseNumber(to: min(moved.number, end), of: table))
    }
}

private let verify = "`zumod verify` says what to do"
private let nearEnd = "near their end: \(verify)"
