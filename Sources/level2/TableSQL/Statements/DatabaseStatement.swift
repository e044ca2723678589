public import Tables

/// Whole databases of a PostgreSQL server: those that a test server creates and throws away.
public enum DatabaseStatement {
    /// The connection limit of these databases, which no other has, so that a server never mistakes another's for its
    /// own. A database has it from its first moment on, unlike a comment.
    public static let mark = 99_731

    /// Creates a database.
    /// - Parameter template: the database to copy, to which nobody may be connected; nil for an empty one.
    public static func create(_ name: Identifier, like template: Identifier?) -> SQLText {
        let source: SQLFragment =
            template.map { "\($0)" } ?? "\(SQLFragment(named: "template0")) ENCODING 'UTF8'"
        let limit = SQLFragment(stringLiteral: "\(mark)")
        return SQLText("CREATE DATABASE \(name) TEMPLATE \(source) CONNECTION LIMIT \(limit)", PostgresDialect())
    }

    /// Removes a database and ends all connections to it. It is no error if it doesn't exist.
    public static func drop(_ name: Identifier) -> SQLText {
        SQLText("DROP DATABASE IF EXISTS \(name) WITH (FORCE)", PostgresDialect())
    }
}
