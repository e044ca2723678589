public import Scalars
public import Tables

/// A database that runs statements about everything but the rows of tables: users, devices, jobs.
///
/// What is kept of these is written once over it, whichever the database.
public protocol SQLExecutor: Sendable {
    /// How the database wants its SQL.
    var dialect: any SQLDialect { get }

    /// What time it is for what is written.
    func now() -> Instant

    /// Runs statements in one transaction, which is durable when it is answered. Where the connection breaks they may run
    /// twice, so they must do nothing that may not be done twice.
    /// - Returns: the rows of the last one.
    func execute(_ statements: [SQLText]) async throws(TableError) -> [SQLRow]

    /// Runs a statement that reads a few rows by their key.
    func rows(of statement: SQLText) async throws(TableError) -> [SQLRow]

    /// Runs statements that may read many rows, within the time limit of lists and in turn with these.
    /// - Returns: the rows of each.
    func lists(of statements: [SQLText]) async throws(TableError) -> [[SQLRow]]
}

extension SQLExecutor {
    /// Runs statements one after the other where one of all fails, as it does where another program has taken a table away
    /// since it was looked at: that one answers no rows.
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

    /// Whether the last of statements answered a row.
    func isDone(_ statements: SQLFragment...) async throws(TableError) -> Bool {
        try await !execute(statements.map { SQLText($0, dialect) }).isEmpty
    }
}

extension SQLExecutor where Self: StatisticsStore & TableStore {
    /// Reads within the time limit of lists, by the index that pulls read by.
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
    /// Reads what the last batch of the copy left.
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
