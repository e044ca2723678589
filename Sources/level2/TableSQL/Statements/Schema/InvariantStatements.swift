public import Tables

/// Statements that check whether a table's rows satisfy what pulls rely on.
public enum InvariantStatement {
    /// Returns how many stamps occur on more than one row, and the first of them.
    public static func repeatedStamps(of table: Identifier) -> SQLFragment {
        """
        SELECT count(*), min(stamp) FROM (SELECT "updatedAt" AS stamp FROM \(table) \
        GROUP BY "updatedAt" HAVING count(*) > 1) AS repeated
        """
    }

    /// Returns how many rows have a version not higher than that of a row with an earlier stamp, and the first of them.
    /// - Parameter imported: versions up to this one are left out.
    public static func disorder(of table: Identifier, after imported: Version) -> SQLFragment {
        """
        SELECT count(*), min(stamp) FROM (SELECT "updatedAt" AS stamp, "version" AS given, \
        max("version") OVER (ORDER BY "updatedAt" ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS highest \
        FROM \(table)) AS ordered WHERE given <= highest AND given > \(.integer(imported.counter))
        """
    }

    /// Returns the latest stamp, the highest version, in SQLite perhaps of another type, and the number of tombstones.
    public static func highest(of table: Identifier) -> SQLFragment {
        """
        SELECT max("updatedAt"), CAST(max("version") AS bigint), count(CASE WHEN "deleted" = \(.boolean(true)) \
        THEN 1 END) FROM \(table)
        """
    }

    /// Returns the latest stamp and the highest version that leave room for later ones.
    public static func highestUsual(of table: Identifier) -> SQLFragment {
        """
        SELECT max(CASE WHEN "updatedAt" < \(.date(ImportRow.latestStamp)) THEN "updatedAt" END), \
        CAST(max(CASE WHEN "version" < \(.integer(ImportRow.highestVersion.counter)) THEN "version" END) \
        AS bigint) FROM \(table)
        """
    }

    /// Returns the highest id of a table that numbers its rows.
    public static func highestNumber(of table: Identifier) -> SQLFragment {
        "SELECT max(\"id\") FROM \(table)"
    }

    /// Returns how many rows have invalid system columns, and the id of one of them.
    public static func oddCells(of table: Identifier) -> SQLFragment {
        "SELECT count(*), min(\"id\") FROM \(table) WHERE \(SQLFragment(stringLiteral: oddCell))"
    }

    /// The condition for such a row.
    static var oddCell: String {
        "typeof(\"version\") <> 'integer' OR \"deleted\" NOT IN (0, 1) OR NOT (\(properDate("createdAt"))) "
            + "OR NOT (\(properDate("updatedAt")))"
    }

    /// Returns whether a column in SQLite contains a date as the server writes it.
    static func properDate(_ column: String) -> String {
        "typeof(\"\(column)\") = 'text' AND \"\(column)\" GLOB '\(dateGlob)'"
    }

    /// The pattern of such a date, and that of a time of day, which is its end.
    static let dateGlob = "\(digits(4))-\(digits(2))-\(digits(2))T\(timeGlob)Z"
    static let timeGlob = "\(digits(2)):\(digits(2)):\(digits(2)).\(digits(3))"

    private static func digits(_ count: Int) -> String { String(repeating: "[0-9]", count: count) }
}
