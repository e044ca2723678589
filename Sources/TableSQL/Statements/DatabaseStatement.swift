public import Tables

/// Whole databases of a PostgreSQL server: those that a server for tests makes and throws away.
public enum DatabaseStatement {
    /// Makes a database.
    /// - Parameter template: what it is a copy of, to which nobody may be connected; nil for an empty one.
    public static func create(_ name: Identifier, like template: Identifier?) -> SQLText {
        var builder = SQLBuilder(PostgresDialect())
        builder.append("CREATE DATABASE ")
        builder.identifier(name.text)
        builder.append(" TEMPLATE ")
        builder.identifier(template?.text ?? "template0")
        if template == nil { builder.append(" ENCODING 'UTF8'") }
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
