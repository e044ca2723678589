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
