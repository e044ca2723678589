import OData
import TableSQL
public import Tables

extension SQLiteTableStore: TableStore {
    /// Runs on a thread of the pool: a list may take long.
    public func list<Rows: RowVisitor>(
        _ query: TableQuery, in table: Table, into rows: Rows
    ) async throws(TableError) -> Page<Rows> {
        let page: SelectStatement
        let count: CountStatement?
        do throws(QueryError) {
            page = try SelectStatement(query: query, table: table, dialect: SQLiteDialect())
            count =
                query.wantsCount ? try CountStatement(query: query, table: table, dialect: SQLiteDialect()) : nil
        } catch {
            throw .query(error)
        }
        let reading = ListReading(page: page, count: count?.sql, limit: query.limit)
        guard let readers else {
            return try await writer.read { connection throws(TableError) in
                try reading.run(on: connection, into: rows)
            }
        }
        return try await pool.run { () throws(TableError) in
            try readers.read { connection throws(TableError) in try reading.run(on: connection, into: rows) }
        }
    }
}

/// The statements of one list.
private struct ListReading: Sendable {
    let page: SelectStatement
    let count: SQLText?
    let limit: Int

    /// The longest that a list may take, as on PostgreSQL: a filter can be made to take hours.
    private static let time = Duration.seconds(5)

    func run<Rows: RowVisitor>(
        on connection: SQLiteConnection, into rows: Rows
    ) throws(TableError) -> Page<Rows> {
        guard let count else {
            return try connection.within(Self.time) { () throws(TableError) in
                try read(on: connection, into: rows, totalCount: nil)
            }
        }
        // One transaction, so that both statements see one snapshot.
        try connection.run("BEGIN")
        do throws(TableError) {
            let page = try connection.within(Self.time) { () throws(TableError) in
                let total = try connection.withStatement(count) { statement throws(TableError) in
                    try statement.step() ? statement.integer(at: 0) : 0
                }
                return try read(on: connection, into: rows, totalCount: total)
            }
            try connection.run("COMMIT")
            return page
        } catch {
            if connection.isInTransaction { try? connection.run("ROLLBACK") }
            throw error
        }
    }

    private func read<Rows: RowVisitor>(
        on connection: SQLiteConnection, into rows: Rows, totalCount: Int64?
    ) throws(TableError) -> Page<Rows> {
        try connection.withStatement(page.sql) { statement throws(TableError) in
            var rows = rows
            rows.begin(page.fields)
            let reader = RowReader(statement: statement, fields: page.fields)
            var rowCount = 0
            var hasMore = false
            while try statement.step() {
                if rowCount == limit {
                    hasMore = true
                    break
                }
                reader.visitRow(into: &rows)
                rowCount += 1
            }
            return Page(rows: rows, rowCount: rowCount, hasMore: hasMore, totalCount: totalCount)
        }
    }
}
