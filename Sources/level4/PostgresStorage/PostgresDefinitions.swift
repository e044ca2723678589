public import Tables

extension PostgresTableStore: RedefinableStore {
    /// Prepares the tables under the schema's lock, on a thread of the pool.
    public func define(
        _ tables: [TableDefinition], servesClientTables: Bool, limits: ClientLimits
    ) async throws(TableError) {
        try Self.check(tables)
        try await watch.define(tables, hasClientTables: servesClientTables)
        catalog.limits = limits
    }

    /// Checks what can be checked without a database.
    static func check(_ tables: [TableDefinition]) throws(TableError) {
        var names: Set<Identifier> = []
        for definition in tables {
            try definition.check()
            guard names.insert(definition.name).inserted else {
                throw .definition("the table \(definition.name) is defined twice")
            }
        }
    }
}
