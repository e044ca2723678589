public import Access
public import OData
public import Tables

extension TableOperations {
    /// Reads one row.
    /// - Returns: nil where there is none that the caller may see.
    public func find<Row: RowVisitor>(
        _ id: RowID, in table: Table, select: [SelectedName]?, includeDeleted: Bool, by caller: Principal, into row: Row
    ) async throws(OperationError) -> Row? {
        try await storing { () async throws(TableError) in
            try await store.find(
                id, in: table, select: select, includeDeleted: includeDeleted,
                scope: visibleScope(of: table, for: caller),
                into: row)
        }
    }

    /// Reads a page of the rows that the caller may see; the query's own scope counts for nothing.
    public func list<Rows: RowVisitor>(
        _ query: TableQuery, in table: Table, by caller: Principal, into rows: Rows
    ) async throws(OperationError) -> Page<Rows> {
        var query = query
        query.scope = visibleScope(of: table, for: caller)
        return try await storing { [query] () async throws(TableError) in
            try await store.list(query, in: table, into: rows)
        }
    }
}
