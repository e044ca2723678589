import ByteText
import OData
import TableSQL
public import Tables
import WorkThreads

extension SQLiteTableStore: TableStore {
    /// Runs on a thread of the pool, as a list may take long, or on the caller's thread if it is short and its
    /// statement was quick before. In memory it reads on the writer's thread, one list at a time.
    public func list<Rows: RowVisitor>(
        _ query: TableQuery, in table: Table, into rows: Rows
    ) async throws(TableError) -> Page<Rows> {
        try await readFresh(table) { table throws(TableError) in try await self.list(query, of: table, into: rows) }
    }

    /// - Returns: nil if the table has changed.
    private func list<Rows: RowVisitor>(
        _ query: TableQuery, of table: Table, into rows: Rows
    ) async throws(TableError) -> Page<Rows>? {
        let reading = try sql { () throws(QueryError) in try ListReading(query, of: table, by: selects) }
        if let readers, reading.mayBeBrief, queryTimeLimit > InlineReadLimit.time {
            let page = try readers.readBriefly(catalog.commits) { connection throws(TableError) in
                try connection.reading(table, of: catalog) { () throws(TableError) in
                    try reading.runBriefly(on: connection, into: rows)
                }
            }
            guard let page else { return nil }
            if let page { return page }
        }
        return try await pool.run(
            by: query.asker, limit: queryTimeLimit
        ) { [readers, writer, catalog] ticket throws(TableError) in
            let read = { @Sendable (connection: SQLiteConnection) throws(TableError) -> Page<Rows>? in
                try connection.reading(table, of: catalog) { () throws(TableError) in
                    try reading.run(on: connection, in: ticket, into: rows)
                }
            }
            guard let readers else { return try writer.wait(for: read) }
            return try readers.read(read)
        }
    }
}

/// The statements of one list.
struct ListReading: Sendable {
    private struct Statements {
        let page: SelectStatement
        let count: SQLText?
    }

    private let query: TableQuery
    private let table: Table
    private let selects: SelectCache
    private let texts: IndexedTexts?
    /// The statements for a table whose relevant texts are plain.
    private let statements: Statements

    /// - Throws: what is wrong with the query.
    init(_ query: TableQuery, of table: Table, by selects: SelectCache) throws(QueryError) {
        self.query = query
        self.table = table
        self.selects = selects
        texts = IndexedTexts(query, in: table, dialect: SQLiteDialect())
        statements = try Self.statements(query, table, selects, split: texts?.allPlain ?? TextSplit())
    }

    private static func statements(
        _ query: TableQuery, _ table: Table, _ selects: SelectCache, split: TextSplit
    ) throws(QueryError) -> Statements {
        let page = try selects.statement(for: query, in: table, split: split)
        guard query.wantsCount else { return Statements(page: page, count: nil) }
        let dialect = SQLiteDialect(plain: split.plain)
        return Statements(page: page, count: try CountStatement(query: query, table: table, dialect: dialect).sql)
    }

    func run<Rows: RowVisitor>(
        on connection: SQLiteConnection, in ticket: QueueTicket, into rows: Rows
    ) throws(TableError) -> Page<Rows> {
        try connection.withTimeLimit(of: ticket) { () throws(TableError) in
            try readAll(on: connection, into: rows)
        }
    }

    /// Whether it is a single statement, which may be quick.
    var mayBeBrief: Bool { !query.wantsCount && texts == nil }

    /// - Returns: nil if it takes, or may take, too long for an event loop.
    func runBriefly<Rows: RowVisitor>(
        on connection: SQLiteConnection, into rows: Rows
    ) throws(TableError) -> Page<Rows>? {
        try connection.briefly(statements.page.sql) { statement throws(TableError) in
            try read(statement, of: statements.page, into: rows, totalCount: nil, atMost: InlineReadLimit.bytes)
        }
    }

    private func readAll<Rows: RowVisitor>(
        on connection: SQLiteConnection, into rows: Rows
    ) throws(TableError) -> Page<Rows> {
        guard query.wantsCount || texts != nil else {
            return try read(statements.page, on: connection, into: rows, totalCount: nil)
        }
        // In one transaction, so that all statements see the same snapshot.
        try connection.run("BEGIN")
        do throws(TableError) {
            let statements = try statements(on: connection)
            let total = try statements.count.map { count throws(TableError) in
                try connection.withStatement(count) { statement throws(TableError) in
                    try statement.step() ? statement.integer(at: 0) : 0
                }
            }
            let page = try read(statements.page, on: connection, into: rows, totalCount: total)
            try connection.run("COMMIT")
            return page
        } catch {
            if connection.isInTransaction { try? connection.run("ROLLBACK") }
            throw error
        }
    }

    /// Returns the statements that suit the table's current texts.
    private func statements(on connection: SQLiteConnection) throws(TableError) -> Statements {
        guard let texts else { return statements }
        let answers = try connection.withStatement(texts.question) { statement throws(TableError) in
            try statement.step() ? (0..<texts.count).map { statement.integer(at: Int32($0)) != 0 } : []
        }
        guard answers.contains(true) else { return statements }
        return try sql { () throws(QueryError) in
            try Self.statements(query, table, selects, split: texts.split(by: answers))
        }
    }

    private func read<Rows: RowVisitor>(
        _ page: SelectStatement, on connection: SQLiteConnection, into rows: Rows, totalCount: Int64?
    ) throws(TableError) -> Page<Rows> {
        let read = try connection.withStatement(page.sql) { statement throws(TableError) in
            try self.read(statement, of: page, into: rows, totalCount: totalCount, atMost: .max)
        }
        guard let read else { throw .failed(detail: "a list without bounds that ended at one") }
        return read
    }

    /// - Parameter bytes: the maximum number of bytes of text to read.
    /// - Returns: nil if there is more.
    private func read<Rows: RowVisitor>(
        _ statement: SQLiteStatement, of page: SelectStatement, into rows: Rows, totalCount: Int64?, atMost bytes: Int
    ) throws(TableError) -> Page<Rows>? {
        var rows = rows
        rows.begin(page.layout)
        var reader = SQLiteRowReader(statement: statement, layout: page.layout)
        var rowCount = 0
        var bytesLeft = bytes
        let limit = query.limit
        var isFull = limit == 0
        var hasMore = false
        var cursor: PageCursor?
        while try statement.step() {
            if isFull {
                hasMore = true
                break
            }
            reader.visitRow(into: &rows)
            bytesLeft -= reader.textBytes
            if bytesLeft < 0 { return nil }
            rowCount += 1
            isFull = rowCount == limit || rows.isFull
            // Only the last row of a full page can have others behind it.
            if isFull { cursor = PageCursor(in: page.placeColumns, statement.rawValue) }
        }
        return Page(
            rows: rows, rowCount: rowCount, hasMore: hasMore, totalCount: totalCount, cursor: hasMore ? cursor : nil)
    }
}

extension SQLiteStatement {
    /// A cell as it is stored, whatever its column; nil for a blob and for text that isn't UTF-8.
    fileprivate func rawValue(at column: Int) -> Value? {
        let column = Int32(column)
        return switch kind(at: column) {
        case .null: .null
        case .integer: .integer(integer(at: column))
        case .number: .number(number(at: column))
        case .text: withBytes(at: column) { String(strictly: $0).map(Value.text) }
        case .blob: nil
        }
    }
}
