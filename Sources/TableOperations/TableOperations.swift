public import Access
public import OData
public import Tables

/// What callers do with rows: the one way from every protocol generation to the store.
///
/// Who may do it is decided here, and here the behaviours of a table that its definition sets take effect, so that they
/// are the same for the clients of every generation.
public struct TableOperations: Sendable {
    private let store: any TableStore
    private let access: [Identifier: AccessRules]

    /// - Parameter access: what each table asks of its callers; a table that is not here asks nothing.
    public init(store: any TableStore, access: [Identifier: AccessRules]) {
        self.store = store
        self.access = access
    }

    /// Whether a caller may do an operation at all.
    public func decision(on operation: Operation, of table: Table, for principal: Principal) -> AccessDecision {
        access[table.name]?.decision(on: operation, for: principal) ?? .allowed
    }

    /// Reads one row.
    /// - Returns: nil where there is none that the caller may see.
    public func find<Row: RowVisitor>(
        _ id: RowID, in table: Table, select: [SelectedName]?, includeDeleted: Bool, by caller: Principal, into row: Row
    ) async throws(OperationError) -> Row? {
        try await storing { () async throws(TableError) in
            try await store.find(
                id, in: table, select: select, includeDeleted: includeDeleted, scope: nil, into: row)
        }
    }

    /// Reads a page of the rows that the caller may see.
    public func list<Rows: RowVisitor>(
        _ query: TableQuery, in table: Table, by caller: Principal, into rows: Rows
    ) async throws(OperationError) -> Page<Rows> {
        try await storing { () async throws(TableError) in
            try await store.list(query, in: table, into: rows)
        }
    }

    /// Writes a new row.
    /// - Parameters:
    ///   - id: nil in a table that numbers its own rows.
    ///   - deleted: whether the row begins as a tombstone; without effect where the table has no soft delete.
    public func insert<Row: RowVisitor>(
        _ properties: [Property], id: RowID?, deleted: Bool = false, in table: Table, by call: WriteCall,
        into row: Row
    ) async throws(OperationError) -> WriteResult<Row> {
        try await storing { () async throws(TableError) in
            try await store.insert(properties, id: id, deleted: deleted, scope: nil, in: table, into: row)
        }
    }

    /// Changes a row.
    public func update<Row: RowVisitor>(
        _ id: RowID, _ update: RowUpdate, if precondition: Precondition, in table: Table, by call: WriteCall,
        into row: Row
    ) async throws(OperationError) -> WriteResult<Row> {
        try await storing { () async throws(TableError) in
            try await store.update(id, update, if: precondition, scope: nil, in: table, into: row)
        }
    }

    /// Makes a row a tombstone, or removes it where the table has no soft delete.
    public func delete<Row: RowVisitor>(
        _ id: RowID, if precondition: Precondition, in table: Table, by call: WriteCall, into row: Row
    ) async throws(OperationError) -> WriteResult<Row> {
        try await storing { () async throws(TableError) in
            try await store.delete(id, if: precondition, scope: nil, in: table, into: row)
        }
    }

    /// Makes a tombstone a live row again.
    public func undelete<Row: RowVisitor>(
        _ id: RowID, if precondition: Precondition, in table: Table, by call: WriteCall, into row: Row
    ) async throws(OperationError) -> WriteResult<Row> {
        try await storing { () async throws(TableError) in
            try await store.update(id, .undelete, if: precondition, scope: nil, in: table, into: row)
        }
    }

    private func storing<Result>(
        _ call: () async throws(TableError) -> Result
    ) async throws(OperationError) -> Result {
        do throws(TableError) {
            return try await call()
        } catch {
            throw .table(error)
        }
    }
}
