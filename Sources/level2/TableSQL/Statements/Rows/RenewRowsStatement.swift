public import Scalars
public import Tables

/// Counts the rows of a table, tombstones too.
public struct CountRowsStatement: Sendable {
    /// The statement, without bindings.
    public let sql: SQLText

    /// - Parameter table: a table that may have any columns.
    public init(of table: Identifier, dialect: any SQLDialect) {
        var builder = SQLBuilder(dialect)
        builder.append("SELECT count(*) FROM ")
        builder.identifier(table.text)
        sql = builder.build()
    }
}

/// Gives every row of a table a new version and stamp, in the order of the current ones.
public struct RenewRowsStatement: Sendable {
    /// The statement with its bindings.
    public let sql: SQLText

    /// For SQLite.
    /// - Parameter first: what the first row gets; what the others get is theirs too.
    public init(ofSQLite table: Identifier, from first: VersionBump) {
        var builder = SQLBuilder(SQLiteDialect())
        let stamp = """
            strftime('%Y-%m-%dT%H:%M:%S', zumod_order.stamp / 1000, 'unixepoch') || \
            printf('.%03dZ', zumod_order.stamp % 1000)
            """
        builder.renewRows(of: table, stamp: stamp)
        builder.append("SELECT \"id\", place + ")
        builder.bind(.integer(first.version.counter))
        builder.append(" AS version, place + ")
        builder.bind(.integer(first.stamp.milliseconds))
        builder.append(" AS stamp FROM ")
        builder.placedRows(of: table)
        sql = builder.build()
    }

    /// For PostgreSQL, whose sequence gives the versions.
    /// - Parameter first: the first row's stamp; what the others get is theirs too.
    public init(ofPostgres table: Identifier, from first: Instant) {
        var builder = SQLBuilder(PostgresDialect())
        builder.renewRows(
            of: table, stamp: "timestamptz 'epoch' + zumod_order.stamp * interval '1 millisecond'")
        builder.append("SELECT \"id\", nextval('zumod_version') AS version, place + ")
        builder.bind(.integer(first.milliseconds))
        builder.append(" AS stamp FROM ")
        builder.placedRows(of: table)
        sql = builder.build()
    }
}

extension SQLBuilder {
    fileprivate mutating func renewRows(of table: Identifier, stamp: String) {
        append("UPDATE ")
        identifier(table.text)
        // What was written without triggers may lack the date of its making.
        append(
            """
             AS zumod_row SET "version" = zumod_order.version, "updatedAt" = \(stamp), \
            "createdAt" = coalesce(zumod_row."createdAt", \(stamp)) FROM (
            """)
    }

    fileprivate mutating func placedRows(of table: Identifier) {
        append("(SELECT \"id\", row_number() OVER (ORDER BY \"updatedAt\", \"id\") - 1 AS place FROM ")
        identifier(table.text)
        append(" ORDER BY place) AS placed) AS zumod_order WHERE zumod_order.\"id\" = zumod_row.\"id\"")
    }
}
