/// A store whose tables can be redefined while it serves them.
public protocol RedefinableStore: Sendable {
    /// Changes the tables to other definitions, as opening the store would, and serves these from then on. Calls in
    /// progress on a table that is no longer served are still completed.
    /// - Parameters:
    ///   - tables: all definitions. Tables that they don't name stay in the database.
    ///   - servesClientTables: whether tables created by clients are served too.
    ///   - limits: the limits on what clients may add.
    /// - Throws: `definition` if the database can't match the definitions. Then nothing has changed.
    func define(
        _ tables: [TableDefinition], servesClientTables: Bool, limits: ClientLimits
    ) async throws(TableError)
}
