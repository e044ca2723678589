public import OData
public import Tables

extension SQLiteTableStore: StampStore {
    /// Reads on the caller's own thread: there is one short row for each table.
    public func lastStamps() async throws(TableError) -> [Identifier: Instant] {
        let served = Set(catalog.all().map(\.name))
        return try await read { connection throws(TableError) in
            var stamps: [Identifier: Instant] = [:]
            try connection.query("SELECT name, last_stamp FROM zumod_tables") { row in
                guard let name = Identifier(row.string(at: 0)), served.contains(name) else { return }
                stamps[name] = Instant(milliseconds: row.integer(at: 1))
            }
            return stamps
        }
    }
}
