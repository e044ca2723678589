public import Tables

extension PostgresTableStore: RedefinableStore {
    /// Prepares the tables under the schema's lock, on a thread of the pool.
    public func define(
        _ tables: [TableDefinition], servesClientTables: Bool, limits: ClientLimits
    ) async throws(TableError) {
        try tables.check()
        try await watch.define(tables, hasClientTables: servesClientTables)
        catalog.limits = limits
    }
}
