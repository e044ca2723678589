import OData
import TableSQL
public import Tables
import WorkThreads

extension SQLiteTableStore: TableStore {
    /// Runs on a thread of the pool: a list may take long. In memory it reads on the writer's thread, one list at a time.
    public func list<Rows: RowVisitor>(
        _ query: TableQuery, in table: Table, into rows: Rows
    ) async throws(TableError) -> Page<Rows> {
        let dialect = SQLiteDialect()
        let (page, count) = try sql { () throws(QueryError) in
            let page = try selects.statement(for: query, in: table)
            return (page, query.wantsCount ? try CountStatement(query: query, table: table, dialect: dialect).sql : nil)
        }
        let reading = ListReading(page: page, count: count, limit: query.limit)
        return try await pool.run(by: query.asker, limit: queryTimeLimit) { [readers, writer] turn throws(TableError) in
            guard let readers else {
                return try writer.wait { connection throws(TableError) in
                    try reading.run(on: connection, in: turn, into: rows)
                }
            }
            return try readers.read { connection throws(TableError) in
                try reading.run(on: connection, in: turn, into: rows)
            }
        }
    }
}

/// The statements of one list.
struct ListReading: Sendable {
    let page: SelectStatement
    let count: SQLText?
    let limit: Int

    func run<Rows: RowVisitor>(
        on connection: SQLiteConnection, in turn: Turn, into rows: Rows
    ) throws(TableError) -> Page<Rows> {
        try connection.withTimeLimit(of: turn) { () throws(TableError) in
            try readAll(on: connection, into: rows)
        }
    }

    private func readAll<Rows: RowVisitor>(
        on connection: SQLiteConnection, into rows: Rows
    ) throws(TableError) -> Page<Rows> {
        guard let count else { return try read(on: connection, into: rows, totalCount: nil) }
        // One transaction, so that both statements see one snapshot.
        try connection.run("BEGIN")
        do throws(TableError) {
            let total = try connection.withStatement(count) { statement throws(TableError) in
                try statement.step() ? statement.integer(at: 0) : 0
            }
            let page = try read(on: connection, into: rows, totalCount: total)
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
            var isFull = limit == 0
            var hasMore = false
            var cursor: PageCursor?
            while try statement.step() {
                if isFull {
                    hasMore = true
                    break
                }
                reader.visitRow(into: &rows)
                rowCount += 1
                isFull = rowCount == limit || rows.isFull
                // Only the last row of a full page can have others behind it.
                if isFull { cursor = statement.place(in: page.placeColumns) }
            }
            return Page(
                rows: rows, rowCount: rowCount, hasMore: hasMore, totalCount: totalCount,
                cursor: hasMore ? cursor : nil)
        }
    }
}

extension SQLiteStatement {
    /// The place of the row at which the statement stands.
    /// - Returns: nil where a cell is what no cursor can hold.
    fileprivate func place(in columns: [Int]) -> PageCursor? {
        guard let idColumn = columns.last else { return nil }
        var values: [Value] = []
        for column in columns.dropLast() {
            guard let value = rawValue(at: Int32(column)) else { return nil }
            values.append(value)
        }
        switch rawValue(at: Int32(idColumn)) {
        case .text(let id): return PageCursor(values: values, id: .text(id))
        case .integer(let id): return PageCursor(values: values, id: .integer(id))
        default: return nil
        }
    }

    /// A cell as it is kept, whatever its column; nil for a blob and for text that isn't UTF-8.
    private func rawValue(at column: Int32) -> Value? {
        switch kind(at: column) {
        case .null: .null
        case .integer: .integer(integer(at: column))
        case .number: .number(number(at: column))
        case .text: withBytes(at: column) { String(validating: $0.copy, as: UTF8.self).map(Value.text) }
        case .blob: nil
        }
    }
}
