public import OData
public import TableSQL
public import Tables

extension PostgresTableStore: SQLExecutor, UserStore, DeviceStore, JobStore {
    /// PostgreSQL's own.
    public var dialect: any SQLDialect { PostgresDialect() }

    /// By the store's clock.
    public func now() -> Instant { clock() }

    /// On a thread of the pool, in one round trip.
    public func execute(_ statements: [SQLText]) async throws(TableError) -> [SQLRow] {
        try watch.check()
        return try await pool.run { connection throws(PostgresFailure) in
            let begin = SQLText(text: "BEGIN ISOLATION LEVEL READ COMMITTED", bindings: [])
            let end = SQLText(text: "COMMIT", bindings: [])
            do throws(PostgresFailure) {
                let settings = connection.localSettings + connection.durableSettings
                return try connection.run([begin] + settings + statements + [end]).dropLast().last?.rows ?? []
            } catch {
                connection.rollback()
                throw error
            }
        }
    }

    /// On a thread of the pool.
    public func rows(of statement: SQLText) async throws(TableError) -> [SQLRow] {
        try watch.check()
        return try await pool.run { connection throws(PostgresFailure) in try connection.run(statement).rows }
    }

    /// On a thread of the pool, in one round trip.
    public func lists(of statements: [SQLText]) async throws(TableError) -> [[SQLRow]] {
        try watch.check()
        return try await pool.runList(by: "") { connection throws(PostgresFailure) in
            try connection.read(statements).map(\.rows)
        }
    }
}

extension PostgresResult {
    fileprivate var rows: [SQLRow] {
        (0..<rowCount).map { row in SQLRow((0..<columnCount).map { cell(row, $0) }) }
    }

    /// Whole numbers are asked for as `int8` alone.
    private func cell(_ row: Int, _ column: Int) -> SQLRow.Cell {
        if isNull(row, column) { return .null }
        return switch CellType(rawValue: type(of: column)) {
        case .boolean: .integer(boolean(row, column) ? 1 : 0)
        case .int8: .integer(integer(row, column))
        default: .text(originalText(row, column))
        }
    }

    /// A `text` cell as it was before it was stored.
    private func originalText(_ row: Int, _ column: Int) -> String {
        withBytes(row, column) { StoredText.original($0) }.map { String(decoding: $0, as: UTF8.self) }
            ?? string(row, column)
    }
}
