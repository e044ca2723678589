import OData
import Tables
import Testing

typealias Result = WriteResult<RecordedRows>

/// The store's calls in the short form of the cases: text ids, pairs for properties, a recording visitor.
extension TableStore {
    @discardableResult
    func insert(_ id: String?, _ values: KeyValuePairs<String, Value> = [:], in table: Table) async throws -> Result {
        checked(try await insert(properties(values), id: id.map(RowID.text), in: table, into: RecordedRows()))
    }

    @discardableResult
    func update(
        _ id: String, _ values: KeyValuePairs<String, Value>, if precondition: Precondition = .none, in table: Table
    ) async throws -> Result {
        checked(
            try await update(.text(id), set: properties(values), if: precondition, in: table, into: RecordedRows()))
    }

    @discardableResult
    func delete(_ id: String, if precondition: Precondition = .none, in table: Table) async throws -> Result {
        checked(try await delete(.text(id), if: precondition, in: table, into: RecordedRows()))
    }

    @discardableResult
    func undelete(_ id: String, if precondition: Precondition = .none, in table: Table) async throws -> Result {
        checked(try await undelete(.text(id), if: precondition, in: table, into: RecordedRows()))
    }

    func find(
        _ id: String, in table: Table, select: [Field]? = nil, includeDeleted: Bool = false
    ) async throws -> RecordedRows? {
        let found = try await find(
            .text(id), in: table, select: select, includeDeleted: includeDeleted, into: RecordedRows())
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
    #expect(result.row.rows.count == (result.outcome == .missing ? 0 : 1))
    return result
}

private func properties(_ values: KeyValuePairs<String, Value>) -> [Property] {
    values.map { Property($0.key, $0.value) }
}

/// Expects that a call fails, and with which error.
func expectError(_ expected: TableError, _ body: () async throws -> Void) async {
    await #expect(throws: expected) { try await body() }
}
