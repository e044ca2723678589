import TableSQL
public import Tables

extension SQLiteTableStore: RedefinableStore {
    /// Prepares the tables on the writer's thread, as one write among others.
    public func define(
        _ tables: [TableDefinition], servesClientTables: Bool, limits: ClientLimits
    ) async throws(TableError) {
        let losses = try await writer.write { session throws(TableError) in
            try Self.prepare(tables, servesClientTables: servesClientTables, in: session)
            return try session.connection.unansweredLosses()
        }
        for loss in losses { report(loss.words) }
        catalog.limits = limits
    }
}
