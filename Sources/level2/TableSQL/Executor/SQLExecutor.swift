public import Scalars
public import Tables

/// A database that runs statements about everything except the rows of tables: users, devices, jobs.
///
/// The stores for these are built on it, once for both databases.
public protocol SQLExecutor: Sendable {
    /// The dialect for SQL.
    var dialect: any SQLDialect { get }

    /// Returns the current time, for values to be written.
    func now() -> Instant

    /// Runs statements in one transaction, which is durable when the call returns. If the connection breaks they may
    /// run twice, so they must be idempotent.
    /// - Returns: the rows of the last statement.
    func execute(_ statements: [SQLText]) async throws(TableError) -> [SQLRow]

    /// Runs a statement that reads a few rows by key.
    func rows(of statement: SQLText) async throws(TableError) -> [SQLRow]

    /// Runs statements that may read many rows, within the time limit of lists and taking turns with these.
    /// - Returns: the rows of each statement.
    func lists(of statements: [SQLText]) async throws(TableError) -> [[SQLRow]]
}

extension SQLExecutor {
    /// Runs statements together, or one by one if one of them fails, as it does if another program has just removed a
    /// table: that one then returns no rows.
    fileprivate func listsApart(of statements: [SQLText]) async throws(TableError) -> [[SQLRow]] {
        do throws(TableError) {
            return try await lists(of: statements)
        } catch {
            guard case .failed = error else { throw error }
            guard statements.count > 1 else { return [[]] }
        }
        var found: [[SQLRow]] = []
        for statement in statements { found += try await listsApart(of: [statement]) }
        return found
    }

    func rows(of statement: SQLFragment) async throws(TableError) -> [SQLRow] {
        try await rows(of: SQLText(statement, dialect))
    }

    func execute(_ statements: SQLFragment...) async throws(TableError) -> [SQLRow] {
        try await execute(statements.map { SQLText($0, dialect) })
    }

    /// Returns whether the last statement returned a row.
    func isDone(_ statements: SQLFragment...) async throws(TableError) -> Bool {
        try await !execute(statements.map { SQLText($0, dialect) }).isEmpty
    }
}

extension SQLExecutor where Self: StatisticsStore & TableStore {
    /// Reads within the time limit of lists, by the index for pulls.
    public func lastChanges() async throws(TableError) -> [Identifier: Instant] {
        let tables = tables().filter { !$0.isAway }
        guard !tables.isEmpty else { return [:] }
        let found = try await listsApart(
            of: tables.map { StatisticsStatements.lastChange(of: $0, dialect: dialect) })
        let stamps = zip(tables, found).map { ($0.name, $1.first?.date(0)) }
        return Dictionary(stamps) { first, _ in first }.compactMapValues(\.self)
    }
}

extension SQLExecutor where Self: TransferStore {
    /// Reads what the last batch of the copy stored.
    public func transferProgress(
        of table: Table, from source: String
    ) async throws(TableError) -> TransferProgress? {
        try await rows(
            of: """
                SELECT position, row_count FROM zumod_transfers \
                WHERE lower(table_name) = lower(\(.text(table.name.text))) AND source = \(.text(source))
                """
        ).first.map { TransferProgress(source: source, position: $0.words(0), rowCount: $0.integer(1) ?? 0) }
    }
}
