public import Tables

/// Whole databases of a PostgreSQL server: those that a server for tests makes and throws away.
public enum DatabaseStatement {
    /// The limit of connections that these databases have, and no other does: by it a server takes none for its own that
    /// isn't. It is there from a database's first moment on, as a comment would not be.
    public static let mark = 99_731

    /// Makes a database.
    /// - Parameter template: what it is a copy of, to which nobody may be connected; nil for an empty one.
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

    /// Removes a database and cuts off whoever is connected to it; one that isn't there is no fault.
    public static func drop(_ name: Identifier) -> SQLText {
        var builder = SQLBuilder(PostgresDialect())
        builder.append("DROP DATABASE IF EXISTS ")
        builder.identifier(name.text)
        builder.append(" WITH (FORCE)")
        return builder.build()
    }
}
