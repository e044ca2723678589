public import Scalars
public import Tables

/// Gives every row of a table a new version and stamp, in the order of the current ones.
public enum RenewRowsStatement {
    /// Returns the statement for SQLite.
    /// - Parameter first: the first row's version and stamp; those of the others follow.
    public static func sqlite(_ table: Identifier, from first: VersionBump) -> SQLText {
        let stamp: SQLFragment = """
            strftime('%Y-%m-%dT%H:%M:%S', zumod_order.stamp / 1000, 'unixepoch') || \
            printf('.%03dZ', zumod_order.stamp % 1000)
            """
        return SQLText(
            statement(table, version: "place + \(.integer(first.version.counter))", from: first.stamp, shown: stamp),
            SQLiteDialect())
    }

    /// Returns the statement for PostgreSQL, whose sequence provides the versions.
    /// - Parameter first: the first row's stamp; those of the others follow.
    public static func postgres(_ table: Identifier, from first: Instant) -> SQLText {
        let stamp: SQLFragment = "timestamptz 'epoch' + zumod_order.stamp * interval '1 millisecond'"
        return SQLText(
            statement(table, version: "nextval('zumod_version')", from: first, shown: stamp), PostgresDialect())
    }

    private static func statement(
        _ table: Identifier, version: SQLFragment, from first: Instant, shown stamp: SQLFragment
    ) -> SQLFragment {
        // Rows written without triggers may lack their creation date.
        """
        UPDATE \(table) AS zumod_row SET "version" = zumod_order.version, "updatedAt" = \(stamp), \
        "createdAt" = coalesce(zumod_row."createdAt", \(stamp)) FROM (SELECT "id", \(version) AS version, \
        place + \(.integer(first.milliseconds)) AS stamp FROM (SELECT "id", \
        row_number() OVER (ORDER BY "updatedAt", "id") - 1 AS place FROM \(table) ORDER BY place) AS placed) \
        AS zumod_order WHERE zumod_order."id" = zumod_row."id"
        """
    }
}
