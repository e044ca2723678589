/// A store whose tables can be redefined while it serves them.
public protocol RedefinableStore: Sendable {
    /// Brings the tables to other definitions, as opening the store would, and serves these from then on. Calls in
    /// progress with a table that is no longer served are still completed.
    /// - Parameters:
    ///   - tables: all of them. What they don't name stays in the database.
    ///   - servesClientTables: whether tables created by clients are served too.
    ///   - limits: what clients may add.
    /// - Throws: `definition` if the database can't be what the definitions say. Then nothing has changed.
    func define(
        _ tables: [TableDefinition], servesClientTables: Bool, limits: ClientLimits
    ) async throws(TableError)
}
