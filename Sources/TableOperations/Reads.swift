public import OData
public import Tables

extension TableOperations {
    /// Reads one row.
    /// - Returns: nil where there is none that the caller may see.
    public func find<Row: RowVisitor>(
        _ id: RowID, in admitted: AdmittedTable<Reading>, select: [SelectedName]?, includeDeleted: Bool, into row: Row
    ) async throws(OperationError) -> Row? {
        try await storing { () async throws(TableError) in
            try await store.find(
                id, in: admitted.table, select: select, includeDeleted: includeDeleted,
                scope: visibleScope(of: admitted.table, for: admitted.caller), into: row)
        }
    }

    /// Reads the one row that is about to be written, a tombstone too.
    public func look<Row: RowVisitor>(
        at id: RowID, in admitted: AdmittedTable<Looking>, into row: Row
    ) async throws(OperationError) -> Row? {
        try await find(id, in: admitted.finding, select: nil, includeDeleted: true, into: row)
    }

    /// Reads a page of the rows that the caller may see; the query's own scope counts for nothing.
    public func list<Rows: RowVisitor>(
        _ query: TableQuery, in admitted: AdmittedTable<Reading>, into rows: Rows
    ) async throws(OperationError) -> Page<Rows> {
        var query = query
        query.scope = visibleScope(of: admitted.table, for: admitted.caller)
        return try await storing { [query] () async throws(TableError) in
            try await store.list(query, in: admitted.table, into: rows)
        }
    }
}
