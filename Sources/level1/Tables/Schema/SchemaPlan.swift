/// What has to be done for a database's table to be as its definition says: what every store asks before it does that.
public struct SchemaPlan: Sendable {
    /// The definition, as far as the existing table allows it.
    public let definition: TableDefinition
    /// The table once the plan is carried out.
    public let table: Table
    /// Whether the table has to be made, with all its columns.
    public let makesTable: Bool
    /// What a table that is there has to gain.
    public let newColumns: [Column]
    /// Whether it will be one table of clients more.
    public let addsClientTable: Bool
    /// What changes about deleted rows; nil if nothing does.
    public let softDeleteChange: SoftDeleteChange?

    /// A table that is there gets another `softDelete`.
    public enum SoftDeleteChange: Sendable, Equatable {
        /// Deleted rows stay as tombstones from now on. No device learns of those that went before.
        case begins
        /// Deleted rows go from now on, and those that stayed so far would be shown.
        case ends
    }

    /// - Parameters:
    ///   - registered: what is kept about the table; nil if the server has not created it.
    ///   - found: its columns; nil if it doesn't exist.
    /// - Throws: why the table can't be as it is defined.
    public init(
        _ wanted: TableDefinition, for origin: RegisteredTable.Origin, registered: RegisteredTable?,
        found: TableSchema?
    ) throws(TableError) {
        let definition = try Self.definition(wanted, for: origin, registered: registered)
        let missing = try found.map { found throws(TableError) in
            guard registered != nil else { throw Self.isForeign(definition.name.text) }
            return try found.missingColumns(of: definition)
        }
        // An empty one in its place would have every device believe that its rows are gone.
        if found == nil, registered != nil { throw Self.isAway(definition.name.text) }
        self.definition = definition
        makesTable = found == nil
        newColumns = missing ?? []
        addsClientTable = origin == .client && registered == nil
        softDeleteChange =
            switch (found == nil ? nil : registered?.softDelete, definition.rules.softDelete) {
            case (false, true): .begins
            case (true, false): .ends
            default: nil
            }
        table = Table(
            name: definition.name, columns: found.map { $0.columns + (missing ?? []) } ?? definition.columns,
            rules: definition.rules, isClients: origin == .client)
    }

    /// A client's table stays what it was created as, and one from the configuration can't be had by naming it: an
    /// operator took it out there.
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

    /// The error of a table that is in the database already.
    public static func isForeign(_ table: String) -> TableError {
        .definition("the database has a table \(table) that zumod did not make")
    }

    /// The error of a table that was there before and isn't by now.
    public static func isAway(_ table: String) -> TableError {
        .definition(
            """
            table \(table): the database has no such table by now, though the server made it. If it was renamed, give it \
            its name back. If it was dropped with all its rows and an empty one is wanted, forget it: \
            DELETE FROM zumod_tables WHERE name = '\(table)'
            """)
    }

    /// Refuses one more client table if there are as many as there may be.
    /// - Parameter count: how many there are.
    public func check(clientTables count: Int64, within limits: ClientLimits) throws(TableError) {
        guard !addsClientTable || count < limits.tables else { throw .tooManyClientTables(limit: limits.tables) }
    }

    /// Refuses to end the soft delete of a table that has tombstones: they would be rows to everybody.
    /// - Parameter count: how many it has.
    public func check(tombstones count: Int64) throws(TableError) {
        guard softDeleteChange == .ends, count > 0 else { return }
        let name = definition.name
        throw .definition(
            """
            table \(name): softDelete is off, but the table holds deleted rows (\(count)), which everybody would see \
            again: set softDelete: true, or first remove them for good by `zumod table purge \(name) --older-than 0s`
            """)
    }

    /// The columns of each index of the table.
    public func indexes() throws(TableError) -> [[Field]] {
        try [Table.syncIndex] + definition.indexFields(of: table)
    }
}

extension Table {
    /// What incremental sync reads by.
    public static let syncIndex: [Field] = [.system(.updatedAt), .system(.id)]
}

extension TableSchema {
    /// The columns that the definition has and the database hasn't.
    fileprivate func missingColumns(of definition: TableDefinition) throws(TableError) -> [Column] {
        let name = definition.name
        for column in SystemColumn.allCases where !systemColumns.contains(column) {
            throw .definition("table \(name): the database's table has lost its column \(column.rawValue)")
        }
        guard hasIntegerID == definition.rules.autoIncrement else {
            let kind = hasIntegerID ? "whole numbers" : "text"
            throw .definition("table \(name): its ids are \(kind) already, so autoIncrement can't change")
        }
        var missing: [Column] = []
        for column in definition.columns {
            guard let existing = columns.first(where: { $0.name == column.name }) else {
                missing.append(column)
                continue
            }
            guard existing.type == column.type else {
                throw .definition(
                    """
                    table \(name): the column \(column.name) is defined as \(column.type.rawValue), but the \
                    database has it as \(existing.type.rawValue)
                    """)
            }
        }
        guard missing.isEmpty || columns.count + missing.count <= Table.maximumColumns else {
            throw .tooManyColumns(limit: Table.maximumColumns)
        }
        return missing
    }
}
