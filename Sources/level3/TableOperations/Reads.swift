public import OData
public import Tables

extension TableOperations {
    /// Reads one row.
    /// - Returns: nil if there is no such row that the caller may see.
    public func find<Row: RowVisitor>(
        _ id: RowID, in admitted: AdmittedTable<Reading>, select: [SelectedName]?, includeDeleted: Bool, into row: Row
    ) async throws(OperationError) -> OperationAnswer<Row?> {
        guard let scripts = scripts(around: .read, of: admitted) else {
            return .result(
                try await findRow(id, in: admitted, select: select, includeDeleted: includeDeleted, into: row))
        }
        return try await scripted(
            by: scripts, .read, id: id, in: admitted,
            outcome: { found, execution in
                guard let record = found?.seen?.records.last else {
                    return .failed(ScriptedFailure(kind: .missing, row: nil, execution: execution))
                }
                return .row(record)
            }
        ) { change, _, isTold throws(OperationError) in
            .result(
                try await self.findRow(
                    change.row(insteadOf: id, in: admitted.table), in: admitted, select: select,
                    includeDeleted: change.query.includesDeleted ?? includeDeleted, where: change.query.condition,
                    into: RowTee(row, if: isTold)))
        }.map { $0?.row }
    }

    /// Reads one whole row if that requires waiting for neither the store nor a script.
    public func findAtOnce<Row: RowVisitor>(
        _ id: RowID, in admitted: AdmittedTable<Reading>, includeDeleted: Bool, into row: inout Row
    ) throws(OperationError) -> ImmediateRead {
        let table = admitted.table
        guard scripts(around: .read, of: admitted) == nil, visibleScope(of: table, for: admitted.caller) == nil else {
            return .waits
        }
        do throws(TableError) {
            return try store.findAtOnce(id, in: table, includeDeleted: includeDeleted, into: &row)
        } catch {
            throw .table(error)
        }
    }

    /// Reads the one row that is about to be written, even if it is a tombstone.
    public func look<Row: RowVisitor>(
        at id: RowID, in admitted: AdmittedTable<Looking>, into row: Row
    ) async throws(OperationError) -> Row? {
        try await findRow(id, in: admitted.finding, select: nil, includeDeleted: true, into: row)
    }

    /// Reads a page of the rows that the caller may see; the query's own scope is ignored.
    public func list<Rows: RowVisitor>(
        _ query: TableQuery, in admitted: AdmittedTable<Reading>, into rows: Rows
    ) async throws(OperationError) -> OperationAnswer<Page<Rows>> {
        guard let scripts = scripts(around: .read, of: admitted) else {
            return .result(try await listRows(query, in: admitted, into: rows))
        }
        return try await scripted(
            by: scripts, .read, id: nil, in: admitted,
            outcome: { page, _ in .rows(page.rows.seen?.records ?? [], count: page.totalCount) },
            end: { Self.end(of: $0, limit: query.limit) }
        ) { change, _, isTold throws(OperationError) in
            let page = try await self.listRowsToBe(
                change.query.applied(to: query), in: admitted, into: RowTee(rows, if: isTold))
            return .result(
                Page(
                    rows: page.rows, rowCount: page.rowCount, hasMore: page.hasMore && change.query.goesOn,
                    totalCount: page.totalCount, cursor: change.query.keepsPlaces ? page.cursor : nil))
        }.map { page in
            // A count that only the script asked for is the script's to answer.
            Page(
                rows: page.rows.row, rowCount: page.rowCount, hasMore: page.hasMore,
                totalCount: query.wantsCount ? page.totalCount : nil, cursor: page.cursor)
        }
    }

    private static func end<Rows>(of page: Page<RowTee<Rows>>, limit: Int) -> ScriptedAnswer.ListEnd {
        let isShort = page.hasMore && page.rowCount < limit
        return ScriptedAnswer.ListEnd(
            rowCount: page.rowCount, hasMore: page.hasMore, cursor: page.cursor,
            cut: isShort ? (page.rows.row as? any BoundedRows)?.cut : nil)
    }

    /// - Parameter condition: a script's condition on the row; nil for none.
    func findRow<Row: RowVisitor>(
        _ id: RowID, in admitted: AdmittedTable<Reading>, select: [SelectedName]?, includeDeleted: Bool,
        where condition: Expression? = nil, into row: Row
    ) async throws(OperationError) -> Row? {
        var scope = visibleScope(of: admitted.table, for: admitted.caller)
        if let condition {
            scope = RowScope(scope.map { .binary(.and, $0.condition, condition, at: 0) } ?? condition)
        }
        do throws(TableError) {
            return try await store.find(
                id, in: admitted.table, select: select, includeDeleted: includeDeleted, scope: scope, into: row)
        } catch {
            throw .table(error)
        }
    }

    /// Does the same for a script, treating an unknown column that may still be added as matching no rows.
    private func listRowsToBe<Rows: RowVisitor>(
        _ query: TableQuery, in admitted: AdmittedTable<Reading>, into rows: Rows
    ) async throws(OperationError) -> Page<Rows> {
        do throws(OperationError) {
            return try await listRows(query, in: admitted, into: rows)
        } catch {
            guard error.isAboutColumnToBe(in: admitted.table) else { throw error }
            return Page(rows: rows, rowCount: 0, hasMore: false, totalCount: query.wantsCount ? 0 : nil, cursor: nil)
        }
    }

    private func listRows<Rows: RowVisitor>(
        _ query: TableQuery, in admitted: AdmittedTable<Reading>, into rows: Rows
    ) async throws(OperationError) -> Page<Rows> {
        var query = query
        query.scope = visibleScope(of: admitted.table, for: admitted.caller)
        do throws(TableError) {
            return try await store.list(query, in: admitted.table, into: rows)
        } catch {
            throw .table(error)
        }
    }
}
