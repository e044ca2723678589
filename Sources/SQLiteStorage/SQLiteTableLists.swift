public import Tables

extension SQLiteTableStore: TableStore {
    public func list<Rows: RowVisitor>(
        _ query: TableQuery, in table: Table, into rows: Rows
    ) async throws(TableError) -> Page<Rows> {
        throw .failed(detail: "lists come with the query statements")
    }
}
