import OData
import TableSQL
public import Tables

extension SQLiteTableStore: NumberedStore {
    /// Moves them in one transaction.
    public func moveNumbersOn(by lead: NumberLead) async throws(TableError) -> [String] {
        try await writer.write { session throws(TableError) in try session.moveNumbersOn(by: lead) }
    }
}

extension WriteSession {
    fileprivate func moveNumbersOn(by lead: NumberLead) throws(TableError) -> [String] {
        // What was got out of a damaged file may lack it.
        try connection.run("INSERT OR IGNORE INTO zumod_counters (name, value) VALUES ('version', 0)")
        var tables: [(name: Identifier, lastStamp: Int64)] = []
        try connection.query("SELECT name, last_stamp FROM zumod_tables") { row in
            guard let name = Identifier(row.string(at: 0)) else { return }
            tables.append((name, row.integer(at: 1)))
        }
        var full: [String] = []
        for (name, lastStamp) in tables {
            guard let schema = try TableSchema(of: name, in: connection) else { continue }
            let highest = InvariantStatement.highest(of: name, dialect: dialect)
            var (version, stamp) = (Int64(0), max(lastStamp, now.milliseconds))
            try connection.query(highest.text, highest.bindings) {
                version = $0.integer(at: 1)
                stamp = max(stamp, Instant($0.string(at: 0))?.milliseconds ?? 0)
            }
            let moved = NumberLead.move(stamp, by: lead.milliseconds, within: Instant.last.milliseconds)
            if !moved.hasRoom { full.append(NumberLead.noRoom(forStampsOf: name)) }
            _ = raise(version: Version(counter: version), stamp: Instant(milliseconds: moved.number), of: name)
            if schema.hasIntegerID, let last = try moveIDsOn(of: name, by: lead.ids) {
                full.append(NumberLead.noRoom(forIDsOf: name, after: last))
            }
        }
        if !skipVersions(lead.versions) { full.append(NumberLead.noRoomForVersions) }
        return full
    }

    /// - Returns: the last id, where there is no room behind it.
    private func moveIDsOn(of table: Identifier, by count: Int64) throws(TableError) -> Int64? {
        var last: Int64 = 0
        let highest = InvariantStatement.highestNumber(of: table, dialect: dialect)
        try connection.query(highest.text, highest.bindings) { last = $0.integer(at: 0) }
        try connection.query("SELECT seq FROM sqlite_sequence WHERE lower(name) = lower(?1)", [.text(table.text)]) {
            last = max(last, $0.integer(at: 0))
        }
        let moved = NumberLead.move(last, by: count, within: RowID.highestNumber)
        try skipNumbers(to: moved.number, of: table)
        return moved.hasRoom ? nil : last
    }
}
