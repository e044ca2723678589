import Tables

/// The statements on the users of the server's own login.
public enum UserStatements {
    /// Answers the hash of a user's password.
    public static func passwordHash(ofUser name: String, dialect: any SQLDialect) -> SQLText {
        var builder = SQLBuilder(dialect)
        builder.append("SELECT password FROM zumod_users WHERE name = ")
        builder.bind(.text(name))
        return builder.build()
    }

    /// Adds a user where there is none of that name.
    /// - Parameter now: milliseconds since 1970.
    public static func add(_ name: String, passwordHash: String, at now: Int64, dialect: any SQLDialect) -> SQLText {
        var builder = SQLBuilder(dialect)
        builder.append("INSERT INTO zumod_users (name, password, created_at) VALUES (")
        builder.bind(.text(name))
        builder.append(", ")
        builder.bind(.text(passwordHash))
        builder.append(", ")
        builder.bind(.integer(now))
        builder.append(") ON CONFLICT (name) DO NOTHING")
        return builder.build()
    }

    /// Answers the name where there is such a user.
    public static func setPasswordHash(_ hash: String, ofUser name: String, dialect: any SQLDialect) -> SQLText {
        var builder = SQLBuilder(dialect)
        builder.append("UPDATE zumod_users SET password = ")
        builder.bind(.text(hash))
        builder.append(" WHERE name = ")
        builder.bind(.text(name))
        builder.append(" RETURNING name")
        return builder.build()
    }

    /// Answers the name where there was such a user.
    public static func remove(_ name: String, dialect: any SQLDialect) -> SQLText {
        var builder = SQLBuilder(dialect)
        builder.append("DELETE FROM zumod_users WHERE name = ")
        builder.bind(.text(name))
        builder.append(" RETURNING name")
        return builder.build()
    }

    /// Answers names and times of creation, in milliseconds since 1970.
    public static let all = SQLText(text: "SELECT name, created_at FROM zumod_users ORDER BY name", bindings: [])
}
