public import Tables

/// The statements about whole databases of a PostgreSQL server: those that a test server creates and drops.
public enum DatabaseStatement {
    /// The connection limit of these databases, which no others have, so that a server never takes another's for its
    /// own. Unlike a comment, a database has it from the moment of its creation.
    public static let mark = 99_731

    /// Returns the statement that creates a database.
    /// - Parameter template: the database to copy, without connections to it; nil for an empty one.
    public static func create(_ name: Identifier, like template: Identifier?) -> SQLText {
        let source: SQLFragment =
            template.map { "\($0)" } ?? "\(SQLFragment(named: "template0")) ENCODING 'UTF8'"
        let limit = SQLFragment(stringLiteral: "\(mark)")
        return SQLText("CREATE DATABASE \(name) TEMPLATE \(source) CONNECTION LIMIT \(limit)", PostgresDialect())
    }

    /// Returns the statement that drops a database and ends all connections to it. A missing one is no error.
    public static func drop(_ name: Identifier) -> SQLText {
        SQLText("DROP DATABASE IF EXISTS \(name) WITH (FORCE)", PostgresDialect())
    }
}
