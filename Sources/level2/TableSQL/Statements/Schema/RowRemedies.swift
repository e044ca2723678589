public import Tables

/// The statements with which an operator repairs what `zumod verify` finds in rows and counters, for sqlite3 and psql.
///
/// New stamps and versions come from the table's triggers, so these must exist, and the counters must be repaired
/// first. No row's other values change, and no deleted row comes back.
public struct RowRemedies: Sendable {
    /// The database, and so the program that runs the statements.
    public enum Database: Sendable {
        case sqlite, postgres

        /// Returns the statement that moves the version counter back.
        /// - Parameter version: the highest version of a row that leaves room for later ones.
        func movesVersions(to version: Int64) -> String {
            switch self {
            case .sqlite: "UPDATE zumod_counters SET value = \(version) WHERE name = 'version'"
            // Sequences begin with 1.
            case .postgres: "SELECT setval('zumod_version', \(max(version, 1)))"
            }
        }
    }

    private let table: Identifier
    private let relation: String
    private let database: Database

    /// - Parameter database: the kind of database.
    public init(of table: Identifier, in database: Database) {
        self.table = table
        self.database = database
        relation = database == .sqlite ? "\"\(table)\"" : "\"\(PostgresName.physical(table.text))\""
    }

    /// Returns the statement that gives rows new stamps and versions.
    private func renewal(where condition: String) -> String {
        "UPDATE \(relation) SET \"id\" = \"id\" WHERE \(condition)"
    }

    /// For stamps that occur on more than one row.
    public var repeatedStamps: [String] {
        [
            renewal(
                where:
                    "\"updatedAt\" IN (SELECT \"updatedAt\" FROM \(relation) GROUP BY \"updatedAt\" HAVING count(*) > 1)"
            )
        ]
    }

    /// For rows whose version is not higher than those of all earlier stamps.
    /// - Parameter imported: versions up to this one are left out.
    public func disorder(after imported: Version) -> [String] {
        [
            renewal(
                where: """
                    "id" IN (SELECT "id" FROM (SELECT "id", "version" AS given, max("version") OVER (ORDER BY "updatedAt" \
                    ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS highest FROM \(relation)) AS ordered \
                    WHERE given <= highest AND given > \(imported.counter))
                    """)
        ]
    }

    /// For rows with later stamps than the last one given.
    public var lateStamp: [String] {
        switch database {
        case .sqlite:
            let now = "strftime('\(Self.format)', 'now')"
            return [
                """
                UPDATE zumod_tables SET last_stamp = max(last_stamp, (SELECT coalesce(max(CAST(strftime('%s', "updatedAt") \
                AS INTEGER) * 1000 + CAST(substr("updatedAt", 21, 3) AS INTEGER)), 0) FROM \(relation) \
                WHERE typeof("updatedAt") = 'text' AND "updatedAt" <= \(now))) WHERE name = '\(table)'
                """,
                renewal(where: "\"updatedAt\" > \(now)"),
            ]
        case .postgres:
            return [
                """
                UPDATE zumod_tables SET last_stamp = greatest(last_stamp, (SELECT coalesce(ceil(extract(epoch FROM \
                max("updatedAt")) * 1000), 0)::bigint FROM \(relation) WHERE isfinite("updatedAt") \
                AND "updatedAt" <= now())) WHERE name = '\(table)'
                """,
                renewal(where: "\"updatedAt\" > now()"),
            ]
        }
    }

    /// For rows with higher versions than the last one given.
    public var highVersion: [String] {
        switch database {
        case .sqlite:
            [
                """
                UPDATE zumod_counters SET value = max(value, (SELECT coalesce(max("version"), 0) FROM \(relation) \
                WHERE typeof("version") = 'integer')) WHERE name = 'version'
                """
            ]
        case .postgres:
            [
                """
                SELECT setval('zumod_version', max("version")) FROM \(relation) \
                HAVING max("version") > (SELECT last_value FROM zumod_version)
                """
            ]
        }
    }

    /// For rows in SQLite without valid stamps, version or `deleted`. Whatever can be interpreted is kept: a row that
    /// is marked as deleted in any way stays deleted.
    public var oddCells: [String] {
        let now = "strftime('\(Self.format)', 'now')"
        let created = InvariantStatement.properDate("createdAt")
        return [
            """
            UPDATE \(relation) SET "createdAt" = CASE WHEN \(created) THEN "createdAt" \
            WHEN typeof("createdAt") = 'text' THEN coalesce(strftime('\(Self.format)', "createdAt"), \(now)) \
            ELSE \(now) END, "deleted" = CASE WHEN "deleted" IN (0, 1) THEN "deleted" \
            WHEN lower("deleted") IN ('false', 'f', 'no', 'n', 'off', '') THEN 0 ELSE 1 END \
            WHERE \(InvariantStatement.oddCell)
            """
        ]
    }

    /// For values that clients get as what they mean, but that aren't stored as that. A date that only SQLite itself
    /// would understand, such as one with a day that its month doesn't have, is left alone.
    public func respelling(_ values: UnfitValues) -> [String] {
        let name = values.field.name
        let column = "\"\(database == .sqlite ? name : PostgresName.physical(name))\""
        func update(_ value: String, where condition: String) -> [String] {
            ["UPDATE \(relation) SET \(column) = \(value) WHERE \(condition) AND \(value) IS NOT NULL"]
        }
        switch (values.fault, values.type, database) {
        case (.otherTruth, _, _):
            let isOther = "typeof(\(column)) = 'integer' AND \(column) NOT IN (0, 1)"
            return ["UPDATE \(relation) SET \(column) = 1 WHERE \(isOther)"]
        case (.otherSpelling, _, .postgres):
            let time = "zumod_date('1970-01-01T' || \(column) || 'Z') AT TIME ZONE 'UTC'"
            return update("to_char(\(time), 'HH24:MI:SS.MS')", where: "length(\(column)) <> 12")
        case (.otherSpelling, .timeOnly, .sqlite):
            let isOther = "NOT \(column) GLOB '\(InvariantStatement.timeGlob)'"
            return update(
                "strftime('%H:%M:%f', \(column))",
                where: "\(isOther) AND \(column) GLOB '[0-2][0-9]:[0-9][0-9]*' AND substr(\(column), 1, 2) < '24'")
        case (.otherSpelling, _, .sqlite):
            let isOther = "NOT \(column) GLOB '\(InvariantStatement.dateGlob)'"
            let day = "substr(\(column), 1, 10)"
            let hasDay = "strftime('%Y-%m-%d', \(day)) = \(day) AND \(day) >= '0001'"
            return update(
                "strftime('\(Self.format)', \(column))",
                where: "typeof(\(column)) = 'text' AND \(isOther) AND \(hasDay)")
        default: return []
        }
    }

    /// For tombstones of a table without soft delete. A trigger that keeps them would be left over from when it had it,
    /// and can be dropped.
    public var visibleTombstones: [String] {
        let (trigger, drop, condition) =
            switch database {
            case .sqlite:
                ("zumod_\(table).deleted", "DROP TRIGGER IF EXISTS \"zumod_\(table).deleted\"", "\"deleted\" = 1")
            case .postgres: ("zumod_deleted", "DROP TRIGGER IF EXISTS zumod_deleted ON \(relation)", "\"deleted\"")
            }
        return [
            drop, "DELETE FROM zumod_triggers WHERE table_name = '\(table)' AND name = '\(trigger)'",
            "DELETE FROM \(relation) WHERE \(condition)",
        ]
    }

    /// For a table that is gone: the progress of copies from other servers goes with its rows.
    public var forgetting: [String] {
        ["zumod_transfers WHERE table_name", "zumod_tables WHERE name"].map { "DELETE FROM \($0) = '\(table)'" }
    }

    private static let format = "%Y-%m-%dT%H:%M:%fZ"
}
