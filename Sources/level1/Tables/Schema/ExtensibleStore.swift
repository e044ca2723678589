/// A store whose tables an operator can extend while they are being served.
public protocol ExtensibleStore: TableStore {
    /// Adds whatever a table lacks of these. No definition is changed: what the database has beyond it stays served.
    /// - Parameters:
    ///   - columns: existing columns with the same type are left alone.
    ///   - indexes: each as its columns in order.
    /// - Returns: the extended table.
    /// - Throws: `definition` if the table can't be extended so.
    func grow(
        _ table: Table, columns: [Column], indexes: [[Identifier]]
    ) async throws(TableError) -> Table

    /// Returns the columns of each index that the server created for a table, except those that every table has.
    func indexes(of table: Table) async throws(TableError) -> [[Identifier]]
}

extension TableDefinition {
    /// Creates a definition of an existing table, extended.
    public init(growing table: Table, _ columns: [Column], _ indexes: [[Identifier]]) {
        self.init(
            name: table.name, columns: table.columns + columns.filter { new in !table.columns.contains(new) },
            rules: table.rules, indexes: indexes)
    }
}
