import TableSQL
public import Tables

extension PostgresTableStore: StatisticsStore {
    /// Asks the server, which knows the size of its files.
    public func sizes() async throws(TableError) -> [Identifier: Int64] {
        try watch.check()
        let served = Set(tables().map(\.name))
        return try await pool.runList(by: "") { connection throws(PostgresFailure) in
            let rows = try connection.run(
                """
                SELECT t.name, pg_total_relation_size(c.oid) FROM zumod_tables t
                JOIN pg_class c ON c.oid = to_regclass(format('%I', t.relation))
                """)
            var sizes: [Identifier: Int64] = [:]
            for row in 0..<rows.rowCount where !rows.isNull(row, 1) {
                guard let name = Identifier(rows.string(row, 0)), served.contains(name) else { continue }
                sizes[name] = rows.integer(row, 1)
            }
            return sizes
        }
    }
}
