public import Access
public import OData
public import Tables

/// What callers do with rows: the one way from every protocol generation to the store.
///
/// Who may do it is decided here, and here the behaviours of a table that its definition sets take effect, so that they
/// are the same for the clients of every generation.
public struct TableOperations: Sendable {
    let store: any TableStore
    private let access: [Identifier: AccessRules]
    /// What a program does around the writes.
    private(set) var hooks: [Identifier: TableHooks]
    /// Where the errors of hooks go that fail nothing.
    let report: @Sendable (String) -> Void
    /// Where the code of hooks and handlers runs.
    public let handlerThreads = HandlerThreads()

    /// - Parameters:
    ///   - access: what each table asks of its callers; a table that is not here asks nothing.
    ///   - report: is told of errors that come too late to fail anything.
    public init(
        store: any TableStore, access: [Identifier: AccessRules], hooks: [Identifier: TableHooks] = [:],
        report: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.store = store
        self.access = access
        self.hooks = hooks
        self.report = report
    }

    /// The same operations as hooks do them, so that none begets itself.
    var withoutHooks: TableOperations {
        var operations = self
        operations.hooks = [:]
        return operations
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

    func insertRow<Row: RowVisitor>(
        _ properties: [Property], id: RowID?, deleted: Bool, in table: Table, by call: WriteCall,
        into row: Row
    ) async throws(OperationError) -> WriteResult<Row> {
        try await storing { () async throws(TableError) in
            try await store.insert(properties, id: id, deleted: deleted, scope: nil, in: table, into: row)
        }
    }

    func updateRow<Row: RowVisitor>(
        _ id: RowID, _ update: RowUpdate, if precondition: Precondition, in table: Table, by call: WriteCall,
        into row: Row
    ) async throws(OperationError) -> WriteResult<Row> {
        try await storing { () async throws(TableError) in
            try await store.update(id, update, if: precondition, scope: nil, in: table, into: row)
        }
    }

    func deleteRow<Row: RowVisitor>(
        _ id: RowID, if precondition: Precondition, in table: Table, by call: WriteCall, into row: Row
    ) async throws(OperationError) -> WriteResult<Row> {
        try await storing { () async throws(TableError) in
            try await store.delete(id, if: precondition, scope: nil, in: table, into: row)
        }
    }

    func undeleteRow<Row: RowVisitor>(
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
