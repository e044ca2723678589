/// A store whose tables can be defined anew while it serves them.
public protocol DefinedStore: Sendable {
    /// Brings the tables to other definitions, as an opening would, and serves these from then on. Calls that are under
    /// way with a table that is served no more are done all the same.
    /// - Parameters:
    ///   - tables: all of them. What they don't name stays in the database.
    ///   - servesClientTables: whether tables that clients made are served too.
    ///   - limits: what clients may add.
    /// - Throws: `definition` where the database can't be what the definitions say. Nothing has changed then.
    func define(
        _ tables: [TableDefinition], servesClientTables: Bool, limits: ClientLimits
    ) async throws(TableError)
}
