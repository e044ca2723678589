import OData
import Tables

/// A store that holds nothing, for what never asks one.
struct NoStore: TableStore {
    func table(named name: Identifier) -> Table? { nil }

    func tables() -> [Table] { [] }

    func createTable(_ definition: TableDefinition) async throws(TableError) -> Table {
        throw .unavailable(detail: "no store")
    }

    func find<Row: RowVisitor>(
        _ id: RowID, in table: Table, select: [SelectedName]?, includeDeleted: Bool, scope: RowScope?, into row: Row
    ) async throws(TableError) -> Row? {
        throw .unavailable(detail: "no store")
    }

    func list<Rows: RowVisitor>(
        _ query: TableQuery, in table: Table, into rows: Rows
    ) async throws(TableError) -> Page<Rows> {
        throw .unavailable(detail: "no store")
    }

    func write<Row: RowVisitor>(
        _ write: RowWrite, in table: Table, into row: Row
    ) async throws(TableError) -> WriteResult<Row> {
        throw .unavailable(detail: "no store")
    }

    func recall<Row: RowVisitor>(
        _ write: RowWrite, in table: Table, into row: Row
    ) async throws(TableError) -> WriteResult<Row>? {
        throw .unavailable(detail: "no store")
    }

    func continuationKey() async throws(TableError) -> [UInt8] {
        throw .unavailable(detail: "no store")
    }

    func ping() async throws(TableError) {
        throw .unavailable(detail: "no store")
    }
}
