public import Tables

/// Whole databases of a PostgreSQL server: those that a test server creates and throws away.
public enum DatabaseStatement {
    /// The connection limit of these databases, which no other has, so that a server never mistakes another's for its
    /// own. A database has it from its first moment on, unlike a comment.
    public static let mark = 99_731

    /// Creates a database.
    /// - Parameter template: the database to copy, to which nobody may be connected; nil for an empty one.
    public static func create(_ name: Identifier, like template: Identifier?) -> SQLText {
        var builder = SQLBuilder(PostgresDialect())
        builder.append("CREATE DATABASE ")
        builder.identifier(name.text)
        builder.append(" TEMPLATE ")
        builder.identifier(template?.text ?? "template0")
        if template == nil { builder.append(" ENCODING 'UTF8'") }
        builder.append(" CONNECTION LIMIT \(mark)")
        return builder.build()
    }

    /// Removes a database and ends all connections to it. It is no error if it doesn't exist.
    public static func drop(_ name: Identifier) -> SQLText {
        var builder = SQLBuilder(PostgresDialect())
        builder.append("DROP DATABASE IF EXISTS ")
        builder.identifier(name.text)
        builder.append(" WITH (FORCE)")
        return builder.build()
    }
}
