import OData
import Tables
import Testing

typealias Result = WriteResult<RecordedRows>

/// The store's calls in the short form of the cases: text ids, pairs for properties, a recording visitor.
extension TableStore {
    @discardableResult
    func insert(
        _ id: String?, _ values: KeyValuePairs<String, Value> = [:], deleted: Bool = false, scope: RowScope? = nil,
        receipt: WriteReceipt? = nil, in table: Table
    ) async throws -> Result {
        checked(
            try await insert(
                properties(values), id: id.map(RowID.text), deleted: deleted, scope: scope,
                receipt: receipt, in: table, into: RecordedRows()))
    }

    @discardableResult
    func update(
        _ id: String, _ values: KeyValuePairs<String, Value>, if precondition: Precondition = .none,
        scope: RowScope? = nil, receipt: WriteReceipt? = nil, in table: Table
    ) async throws -> Result {
        try await update(
            id, RowUpdate(properties(values)), if: precondition, scope: scope, receipt: receipt, in: table)
    }

    @discardableResult
    func update(
        _ id: String, _ update: RowUpdate, if precondition: Precondition = .none, scope: RowScope? = nil,
        receipt: WriteReceipt? = nil, in table: Table
    ) async throws -> Result {
        checked(
            try await self.update(
                .text(id), update, if: precondition, scope: scope, receipt: receipt, in: table, into: RecordedRows()))
    }

    @discardableResult
    func delete(
        _ id: String, if precondition: Precondition = .none, scope: RowScope? = nil,
        receipt: WriteReceipt? = nil, in table: Table
    ) async throws -> Result {
        checked(
            try await delete(
                .text(id), if: precondition, scope: scope, receipt: receipt, in: table, into: RecordedRows()))
    }

    @discardableResult
    func undelete(
        _ id: String, if precondition: Precondition = .none, scope: RowScope? = nil, in table: Table
    ) async throws -> Result {
        try await update(id, .undelete, if: precondition, scope: scope, in: table)
    }

    func find(
        _ id: String, in table: Table, select: [String]? = nil, includeDeleted: Bool = false, scope: RowScope? = nil
    ) async throws -> RecordedRows? {
        let found = try await find(
            .text(id), in: table, select: select?.map { SelectedName($0, at: 0) }, includeDeleted: includeDeleted,
            scope: scope, into: RecordedRows())
        if let found { #expect(found.faults.isEmpty && found.rows.count == 1) }
        return found
    }

    func list(_ query: TableQuery, in table: Table) async throws -> Page<RecordedRows> {
        let page = try await list(query, in: table, into: RecordedRows())
        #expect(page.rows.faults.isEmpty)
        #expect(page.rowCount == page.rows.rows.count)
        return page
    }

    /// The table as it stands.
    func current(_ table: Table) throws -> Table {
        try #require(self.table(named: table.name))
    }
}

/// Checks what is true of every write's answer.
private func checked(_ result: Result) -> Result {
    #expect(result.row.faults.isEmpty)
    #expect(result.row.rows.count == ([.missing, .taken].contains(result.outcome) ? 0 : 1))
    return result
}

func properties(_ values: KeyValuePairs<String, Value>) -> [Property] {
    values.map { Property($0.key, $0.value) }
}

/// Expects that a call fails, and with which error.
func expectError(_ expected: TableError, _ body: () async throws -> Void) async {
    await #expect(throws: expected) { try await body() }
}
