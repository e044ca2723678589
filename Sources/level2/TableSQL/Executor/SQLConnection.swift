public import Tables

/// A connection in use, within a transaction if several statements belong together.
///
/// Everything that is done with tables besides reading and writing their rows is built on it, once for both databases.
public protocol SQLConnection {
    /// The errors of statements.
    associatedtype Failure: SQLFailure

    /// The dialect for SQL and for the schema.
    var dialect: any SchemaDialect { get }

    /// The migrations that this program has, in order.
    static var migrations: [Migration] { get }

    /// Runs statements up to the first that fails, in one round trip if the database is a server.
    /// - Returns: the rows of each statement.
    func rows(of statements: [SQLText]) throws(Failure) -> [[SQLRow]]

    /// Runs a script of several SQL statements.
    func run(script: String) throws(Failure)

    /// Returns a table as the database has it now; nil if there is none.
    func schema(of table: Identifier) throws(Failure) -> TableSchema?
}

/// Why a statement failed, or can't be run.
public protocol SQLFailure: Error {
    /// Wraps an error of the call itself.
    static func table(_ error: TableError) -> Self
}

extension TableError: SQLFailure {
    /// Returns the error itself.
    public static func table(_ error: TableError) -> TableError { error }
}

extension SQLConnection {
    /// Runs one statement.
    public func rows(of statement: SQLText) throws(Failure) -> [SQLRow] {
        try rows(of: [statement]).first ?? []
    }

    /// Runs one statement with its values.
    public func rows(_ text: String, _ bindings: [Value] = []) throws(Failure) -> [SQLRow] {
        try rows(of: SQLText(text, bindings))
    }

    /// Runs one statement.
    public func rows(of statement: SQLFragment) throws(Failure) -> [SQLRow] {
        try rows(of: SQLText(statement, dialect))
    }

    /// Runs statements up to the first that fails.
    /// - Returns: the rows of each statement.
    public func rows(of statements: [SQLFragment]) throws(Failure) -> [[SQLRow]] {
        try rows(of: texts(of: statements))
    }

    /// Returns statements as text for this database.
    public func texts(of statements: [SQLFragment]) -> [SQLText] { statements.map { SQLText($0, dialect) } }

    /// Returns whether the database has a table, or another object of that kind, with a name.
    public func has(_ relation: String) throws(Failure) -> Bool {
        try !rows(of: dialect.relation(named: relation)).isEmpty
    }
}
