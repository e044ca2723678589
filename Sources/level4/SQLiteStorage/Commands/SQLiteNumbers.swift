import Scalars
import TableSQL
public import Tables

extension SQLiteTableStore: NumberedStore {
    /// Moves them in one transaction.
    public func moveNumbersOn(by lead: NumberGap) async throws(TableError) -> [String] {
        try await writer.write { session throws(TableError) in try session.moveNumbersOn(by: lead) }
    }
}

extension WriteSession {
    fileprivate func moveNumbersOn(by lead: NumberGap) throws(TableError) -> [String] {
        // What was got out of a damaged file may lack it.
        try connection.run("INSERT OR IGNORE INTO zumod_counters (name, value) VALUES ('version', 0)")
        var full: [String] = []
        for table in try connection.registeredTables() {
            let name = table.name
            guard let schema = try connection.schema(of: name) else { continue }
            let highest = try connection.rows(of: InvariantStatement.highest(of: name, dialect: dialect)).first
            let version = highest?.integer(1) ?? 0
            let stamp = max(table.lastStamp, now.milliseconds, highest?.date(0)?.milliseconds ?? 0)
            let moved = NumberGap.move(stamp, by: lead.milliseconds, within: Instant.last.milliseconds)
            if !moved.hasRoom { full.append(NumberGap.noRoom(forStampsOf: name)) }
            _ = raise(version: Version(counter: version), stamp: Instant(milliseconds: moved.number), of: name)
            if schema.hasIntegerID, let last = try moveIDsOn(of: name, by: lead.ids) {
                full.append(NumberGap.noRoom(forIDsOf: name, after: last))
            }
        }
        if !skipVersions(lead.versions) { full.append(NumberGap.noRoomForVersions) }
        return full
    }

    /// - Returns: the last id, where there is no room behind it.
    private func moveIDsOn(of table: Identifier, by count: Int64) throws(TableError) -> Int64? {
        let highest = try connection.rows(of: InvariantStatement.highestNumber(of: table, dialect: dialect)).first
        let last = max(highest?.integer(0) ?? 0, try connection.lastNumber(of: table) ?? 0)
        let moved = NumberGap.move(last, by: count, within: RowID.highestNumber)
        try skipNumbers(to: moved.number, of: table)
        return moved.hasRoom ? nil : last
    }
}
