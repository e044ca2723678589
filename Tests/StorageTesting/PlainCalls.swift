public import Tables

/// The store's calls without a scope and for live rows, as most tests make them.
extension TableStore {
    /// Reads one row with all its columns.
    public func find<Row: RowVisitor>(
        _ id: RowID, in table: Table, includeDeleted: Bool = false, into row: Row
    ) async throws(TableError) -> Row? {
        try await find(id, in: table, select: nil, includeDeleted: includeDeleted, scope: nil, into: row)
    }

    /// Writes a new, live row.
    public func insert<Row: RowVisitor>(
        _ properties: [Property], id: RowID?, in table: Table, into row: Row
    ) async throws(TableError) -> WriteResult<Row> {
        try await insert(properties, id: id, deleted: false, scope: nil, in: table, into: row)
    }

    /// Sets columns of a live row.
    public func update<Row: RowVisitor>(
        _ id: RowID, set properties: [Property], if precondition: Precondition = .none, in table: Table, into row: Row
    ) async throws(TableError) -> WriteResult<Row> {
        try await update(id, RowUpdate(properties), if: precondition, scope: nil, in: table, into: row)
    }

    /// Deletes a live row.
    public func delete<Row: RowVisitor>(
        _ id: RowID, if precondition: Precondition = .none, in table: Table, into row: Row
    ) async throws(TableError) -> WriteResult<Row> {
        try await delete(id, if: precondition, scope: nil, in: table, into: row)
    }
}
