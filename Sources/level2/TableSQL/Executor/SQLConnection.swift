public import Tables

/// One connection at work, within a transaction where several statements belong together.
///
/// What is done with tables beside reading and writing their rows is written once over it, whichever the database.
public protocol SQLConnection {
    /// What statements fail with.
    associatedtype Failure: SQLFailure

    /// How the database wants its SQL, and tells of its schema.
    var dialect: any SchemaDialect { get }

    /// The migrations that this program knows, in their order.
    static var migrations: [Migration] { get }

    /// Runs statements up to the first that fails, in one round trip where the database is a server.
    /// - Returns: the rows of each.
    func rows(of statements: [SQLText]) throws(Failure) -> [[SQLRow]]

    /// Runs SQL of several statements.
    func run(script: String) throws(Failure)

    /// A table as the database has it by now; nil where there is none.
    func schema(of table: Identifier) throws(Failure) -> TableSchema?
}

/// Why a statement failed, or why nothing can be done.
public protocol SQLFailure: Error {
    /// The call itself can't be done.
    static func table(_ error: TableError) -> Self
}

extension TableError: SQLFailure {
    /// The error itself.
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
    func rows(of statement: SQLFragment) throws(Failure) -> [SQLRow] {
        try rows(of: SQLText(statement, dialect))
    }

    /// Whether the database has a table, or another thing of that kind, under a name.
    public func has(_ relation: String) throws(Failure) -> Bool {
        try !rows(of: dialect.relation(named: relation)).isEmpty
    }
}
