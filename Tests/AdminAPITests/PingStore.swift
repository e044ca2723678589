import OData
import Tables

/// A store that only gives a sign of life, or fails to.
struct PingStore: TableStore {
    var error: TableError?
    var away: [Identifier] = []

    func ping() async throws(TableError) {
        if let error { throw error }
    }

    func tablesAway() async -> [Identifier] { away }

    func recall<Row: RowVisitor>(
        _ write: RowWrite, in table: Table, into row: Row
    ) async throws(TableError) -> WriteResult<Row>? {
        nil
    }

    func continuationKey() async throws(TableError) -> [UInt8] {
        throw .failed(detail: "not here")
    }

    func table(named name: Identifier) -> Table? { nil }

    func tables() -> [Table] { [] }

    func createTable(_ definition: TableDefinition) async throws(TableError) -> Table {
        throw .failed(detail: "not here")
    }

    func find<Row: RowVisitor>(
        _ id: RowID, in table: Table, select: [SelectedName]?, includeDeleted: Bool, scope: RowScope?, into row: Row
    ) async throws(TableError) -> Row? {
        nil
    }

    func list<Rows: RowVisitor>(
        _ query: TableQuery, in table: Table, into rows: Rows
    ) async throws(TableError) -> Page<Rows> {
        Page(rows: rows, rowCount: 0, hasMore: false, totalCount: nil)
    }

    func write<Row: RowVisitor>(
        _ write: RowWrite, in table: Table, into row: Row
    ) async throws(TableError) -> WriteResult<Row> {
        WriteResult(.missing, row)
    }
}
