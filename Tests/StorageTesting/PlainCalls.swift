public import Tables

/// The store's calls as most tests make them: without a scope, for live rows, and each write for itself.
extension TableStore {
    /// Reads one row with all its columns.
    public func find<Row: RowVisitor>(
        _ id: RowID, in table: Table, includeDeleted: Bool = false, into row: Row
    ) async throws(TableError) -> Row? {
        try await find(id, in: table, select: nil, includeDeleted: includeDeleted, scope: nil, into: row)
    }

    /// Writes a new row.
    public func insert<Row: RowVisitor>(
        _ properties: [Property], id: RowID?, deleted: Bool = false, scope: RowScope? = nil,
        receipt: WriteReceipt? = nil, in table: Table, into row: Row
    ) async throws(TableError) -> WriteResult<Row> {
        var update = RowUpdate(properties)
        update.deleted = deleted
        let write = RowWrite(.insert, of: id, in: table.name, update, scope: scope, receipt: receipt)
        return try await self.write(write, in: table, into: row)
    }

    /// Changes a row.
    public func update<Row: RowVisitor>(
        _ id: RowID, _ update: RowUpdate, if precondition: Precondition = .none, scope: RowScope? = nil,
        receipt: WriteReceipt? = nil, in table: Table, into row: Row
    ) async throws(TableError) -> WriteResult<Row> {
        let write = RowWrite(
            .update, of: id, in: table.name, update, if: precondition, scope: scope, receipt: receipt)
        return try await self.write(write, in: table, into: row)
    }

    /// Sets columns of a live row.
    public func update<Row: RowVisitor>(
        _ id: RowID, set properties: [Property], if precondition: Precondition = .none, in table: Table, into row: Row
    ) async throws(TableError) -> WriteResult<Row> {
        try await update(id, RowUpdate(properties), if: precondition, in: table, into: row)
    }

    /// Deletes a live row.
    public func delete<Row: RowVisitor>(
        _ id: RowID, if precondition: Precondition = .none, scope: RowScope? = nil, receipt: WriteReceipt? = nil,
        in table: Table, into row: Row
    ) async throws(TableError) -> WriteResult<Row> {
        let write = RowWrite(.delete, of: id, in: table.name, if: precondition, scope: scope, receipt: receipt)
        return try await self.write(write, in: table, into: row)
    }
}
