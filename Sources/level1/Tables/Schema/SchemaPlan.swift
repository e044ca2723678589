/// What has to be done to make a database's table match its definition; every store computes it first.
public struct SchemaPlan: Sendable {
    /// The definition, as far as the existing table allows it.
    public let definition: TableDefinition
    /// The table after the plan was carried out.
    public let table: Table
    /// Whether the table has to be created, with all its columns.
    public let makesTable: Bool
    /// The columns that an existing table has to gain.
    public let newColumns: [Column]
    /// Whether the plan adds a client table.
    public let addsClientTable: Bool
    /// The change of soft delete; nil if there is none.
    public let softDeleteChange: SoftDeleteChange?

    /// How an existing table's `softDelete` changes.
    public enum SoftDeleteChange: Sendable, Equatable {
        /// From now on, deleted rows stay as tombstones. Devices don't learn of earlier deletes.
        case begins
        /// From now on, deleted rows are removed; existing tombstones would become visible.
        case ends
    }

    /// - Parameters:
    ///   - registered: the record of the table; nil if the server has not created it.
    ///   - found: its columns; nil if it doesn't exist.
    /// - Throws: why the table can't match its definition.
    public init(
        _ wanted: TableDefinition, for origin: RegisteredTable.Origin, registered: RegisteredTable?,
        found: TableSchema?
    ) throws(TableError) {
        let definition = try Self.definition(wanted, for: origin, registered: registered)
        var newColumns: [Column] = []
        if let found {
            guard registered != nil else { throw Self.isForeign(definition.name.text) }
            newColumns = try found.differences(from: definition.columns, numbersRows: definition.rules.autoIncrement)
                .map { difference throws(TableError) in try difference.column(addedTo: definition.name) }
        } else if registered != nil {
            // An empty one instead would make every device believe that its rows are gone.
            throw Self.isAway(definition.name.text)
        }
        let columns = found.map { $0.columns + newColumns } ?? definition.columns
        guard newColumns.isEmpty || columns.count <= Table.maximumColumns else {
            throw .tooManyColumns(limit: Table.maximumColumns)
        }
        self.definition = definition
        makesTable = found == nil
        self.newColumns = newColumns
        addsClientTable = origin == .client && registered == nil
        softDeleteChange =
            switch (found == nil ? nil : registered?.softDelete, definition.rules.softDelete) {
            case (false, true): .begins
            case (true, false): .ends
            default: nil
            }
        table = Table(name: definition.name, columns: columns, rules: definition.rules, isClients: origin == .client)
    }

    /// A client's table keeps its creation settings, and clients can't get one from the configuration by naming it: an
    /// operator removed it there.
    private static func definition(
        _ wanted: TableDefinition, for origin: RegisteredTable.Origin, registered: RegisteredTable?
    ) throws(TableError) -> TableDefinition {
        guard let registered else { return wanted }
        var definition = wanted
        definition.name = registered.name
        guard origin == .client else { return definition }
        guard registered.origin == .client else {
            throw .definition("the table \(definition.name) is in the database, but no longer in the configuration")
        }
        definition.rules.softDelete = registered.softDelete
        return definition
    }

    /// Returns the error for a table that exists in the database but isn't the server's.
    public static func isForeign(_ table: String) -> TableError {
        .definition("the database has a table \(table) that zumod did not make")
    }

    /// Returns the error for a table that the server created but no longer finds.
    public static func isAway(_ table: String) -> TableError {
        .definition(
            """
            table \(table): the database has no such table by now, though the server made it. If it was renamed, give it \
            its name back. If it was dropped with all its rows and an empty one is wanted, forget it: \
            DELETE FROM zumod_tables WHERE name = '\(table)'
            """)
    }

    /// Throws if there are already as many client tables as allowed.
    /// - Parameter count: the number of client tables.
    public func check(clientTables count: Int64, within limits: ClientLimits) throws(TableError) {
        guard !addsClientTable || count < limits.tables else { throw .tooManyClientTables(limit: limits.tables) }
    }

    /// Throws if soft delete would end for a table that has tombstones: everyone would see them as rows.
    /// - Parameter count: the number of tombstones.
    public func check(tombstones count: Int64) throws(TableError) {
        guard softDeleteChange == .ends, count > 0 else { return }
        let name = definition.name
        throw .definition(
            """
            table \(name): softDelete is off, but the table holds deleted rows (\(count)), which everybody would see \
            again: set softDelete: true, or first remove them for good by `zumod table purge \(name) --older-than 0s`
            """)
    }

    /// Returns the columns of each index of the table.
    public func indexes() throws(TableError) -> [[Field]] { try definition.indexFields(of: table) }
}

extension Table {
    /// The index used by incremental sync.
    public static let syncIndex: [Field] = [.system(.updatedAt), .system(.id)]
}
