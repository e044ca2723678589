import TableSQL
public import Tables

extension PostgresTableStore: StatisticsStore {
    /// Asks the server, which knows the size of its files.
    public func sizes() async throws(TableError) -> [Identifier: Int64] {
        let served = Set(tables().map(\.name))
        let found = try await lists(of: [
            """
            SELECT t.name, pg_total_relation_size(c.oid) FROM zumod_tables t
            JOIN pg_class c ON c.oid = to_regclass(format('%I', t.relation))
            """
        ]).joined()
        var sizes: [Identifier: Int64] = [:]
        for row in found {
            if let name = Identifier(row.words(0)), served.contains(name) { sizes[name] = row.integer(1) }
        }
        return sizes
    }
}
