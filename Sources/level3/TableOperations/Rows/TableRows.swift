import Access
import OData
import Tables

/// The rows of one table, for a program's own handlers and hooks. Operations pass through the same steps as the
/// requests of clients.
public struct TableRows: Sendable {
    /// The table's name as it is defined.
    public var name: String { table.name.text }

    private let server: ServerAdmission
    private let operations: TableOperations
    /// What must be true of a row, as it is, for a call to affect it.
    private var condition: Expression?

    init(_ table: Table, _ operations: TableOperations, by principal: Principal, _ request: CurrentRequest?) {
        server = ServerAdmission(table: table, caller: principal, request: request)
        self.operations = operations
    }

    private var table: Table { server.table }

    /// Returns the same rows, of which writes and `find` see only those that match a condition in the query language;
    /// nil for all.
    package func one(where filter: String?) throws(RowsError) -> TableRows {
        guard let filter else { return self }
        var rows = self
        do throws(QueryError) {
            rows.condition = try QueryOptions.parse([("$filter", filter)]).filter
        } catch {
            throw .operation(.table(.query(error)))
        }
        return rows
    }

    /// Returns whether an error is about a column that a later insert may add.
    package func isAboutColumnToBe(_ error: OperationError) -> Bool { error.isAboutColumnToBe(in: table) }

    /// Reads one row.
    /// - Returns: nil if there is none.
    public func find(_ id: String, includeDeleted: Bool = false) async throws(RowsError) -> Record? {
        guard let id = RowID(id, in: table) else { return nil }
        return try await operating { () async throws(OperationError) -> OperationAnswer<VisitedRecords?> in
            if let condition {
                return .result(
                    try await operations.findRow(
                        id, in: server.admitted(), select: nil, includeDeleted: includeDeleted, where: condition,
                        into: VisitedRecords()))
            }
            return try await operations.find(
                id, in: server.admitted(), select: nil, includeDeleted: includeDeleted, into: VisitedRecords())
        }?.records.last
    }

    /// Reads the rows that match a condition.
    /// - Parameters:
    ///   - condition: nil for every row.
    ///   - order: as in `$orderby`, such as `"year desc, title"`, with the id as the last term.
    ///   - top: the maximum number of rows.
    public func list(
        where condition: RowFilter? = nil, orderBy order: String = "", skip: Int = 0, top: Int = 1_000,
        includeDeleted: Bool = false
    ) async throws(RowsError) -> [Record] {
        try await page(
            where: condition?.text, orderBy: order, skip: skip, top: top, select: nil, includeDeleted: includeDeleted,
            wantsCount: false
        ).rows
    }

    /// Reads the rows that match a condition, given in the query language, with their count if it is asked for.
    package func page(
        where filter: String?, orderBy order: String?, skip: Int, top: Int, select: String?, includeDeleted: Bool,
        wantsCount: Bool
    ) async throws(RowsError) -> (rows: [Record], count: Int64?) {
        var query = TableQuery(limit: max(0, top))
        do throws(QueryError) {
            let written = [("$filter", filter), ("$orderby", order), ("$select", select)]
            let options = try QueryOptions.parse(written.compactMap { name, text in text.map { (name, $0) } })
            query.filter = options.filter
            query.order = options.order
            query.select = options.select
        } catch {
            throw .operation(.table(.query(error)))
        }
        query.skip = max(0, skip)
        query.includeDeleted = includeDeleted
        query.wantsCount = wantsCount
        let asked = query
        let page = try await operating { () async throws(OperationError) -> OperationAnswer<Page<VisitedRecords>> in
            try await operations.list(asked, in: server.admitted(), into: VisitedRecords())
        }
        return (page.rows.records, page.totalCount)
    }

    /// Inserts a row with the record's `id`, or a new one.
    /// - Returns: the row as stored.
    @discardableResult
    public func insert(_ record: Record) async throws(RowsError) -> Record {
        var id: RowID?
        if !table.rules.autoIncrement {
            let given = record.id ?? ""
            if let fault = RowID.fault(inNew: given) { throw .invalidID(fault) }
            id = .text(given.isEmpty ? RandomID.make() : given)
        }
        var values = record
        values["id"] = nil
        return try await perform(.insert(values.properties, id: id, in: server.admitted()))
    }

    /// Updates columns of a row.
    /// - Parameter version: the version that the row must have; nil for any.
    /// - Returns: the whole row after the update.
    @discardableResult
    public func update(
        _ id: String, set values: Record, ifVersion version: String? = nil
    ) async throws(RowsError) -> Record {
        guard let id = RowID(id, in: table) else { throw .noRow }
        return try await perform(
            .update(id, RowUpdate(values.properties), if: Self.precondition(version), in: server.admitted()))
    }

    /// Turns a row into a tombstone, or removes it if the table has no soft delete.
    /// - Returns: the row as it is now, or as it was before its removal.
    @discardableResult
    public func delete(_ id: String, ifVersion version: String? = nil) async throws(RowsError) -> Record {
        guard let id = RowID(id, in: table) else { throw .noRow }
        return try await perform(.delete(id, if: Self.precondition(version), in: server.admitted()))
    }

    /// Turns a tombstone back into a live row.
    @discardableResult
    public func undelete(_ id: String, ifVersion version: String? = nil) async throws(RowsError) -> Record {
        guard let id = RowID(id, in: table) else { throw .noRow }
        return try await perform(.undelete(id, if: Self.precondition(version), in: server.admitted()))
    }

    private static func precondition(_ version: String?) -> Precondition {
        version.map { Precondition(versionIn: $0) } ?? .none
    }

    private func perform(_ asked: TableWrite) async throws(RowsError) -> Record {
        var write = asked
        if write.operation != .insert { write.condition = condition }
        let narrowed = write
        let result = try await operating { () async throws(OperationError) -> OperationAnswer in
            try await operations.perform(narrowed, into: VisitedRecords())
        }
        switch (result.outcome, result.row.records.last) {
        case (.written, let record?): return record
        case (.mismatch, let record), (.duplicate, let record): throw .conflict(record)
        case (.taken, _): throw .conflict(nil)
        case (.written, nil), (.tombstone, _), (.missing, _): throw .noRow
        }
    }

    private func operating<Result>(
        _ call: () async throws(OperationError) -> OperationAnswer<Result>
    ) async throws(RowsError) -> Result {
        let answer: OperationAnswer<Result>
        do throws(OperationError) {
            answer = try await call()
        } catch {
            throw .operation(error)
        }
        switch answer {
        case .result(let result): return result
        case .script(let answer): throw .operation(.hook(detail: ThrownError.words(answer)))
        }
    }
}
