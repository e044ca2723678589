public import OData
public import Tables

extension PostgresTableStore: StampStore {
    /// Reads what all servers of the database have given.
    public func lastStamps() async throws(TableError) -> [Identifier: Instant] {
        try watch.check()
        let served = Set(catalog.all().map(\.name))
        return try await quickPool.run { connection throws(PostgresFailure) in
            let rows = try connection.run("SELECT name, last_stamp FROM zumod_tables")
            var stamps: [Identifier: Instant] = [:]
            for row in 0..<rows.rowCount {
                guard let name = Identifier(rows.string(row, 0)), served.contains(name) else { continue }
                stamps[name] = Instant(milliseconds: rows.integer(row, 1))
            }
            return stamps
        }
    }
}
