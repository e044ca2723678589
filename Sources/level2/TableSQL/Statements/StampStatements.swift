import Scalars
import Tables

/// Statements that read the stamps of rows.
enum StampStatement {
    /// Returns the stamp of the row with an id: one date, or no row.
    static func find(_ id: RowID, in table: Table, dialect: any SQLDialect) -> SQLText {
        SQLText("SELECT \"updatedAt\" FROM \(table.name) WHERE \"id\" = \(id.value)", dialect)
    }

    /// Returns a stamp, if a row has it.
    static func find(_ stamp: Instant, in table: Table, dialect: any SQLDialect) -> SQLText {
        SQLText("SELECT \"updatedAt\" FROM \(table.name) WHERE \"updatedAt\" = \(.date(stamp)) LIMIT 1", dialect)
    }

    /// Returns stamps from one on, in order, one per row.
    static func list(from first: Instant, limit: Int, in table: Table, dialect: any SQLDialect) -> SQLText {
        SQLText(
            """
            SELECT "updatedAt" FROM \(table.name) WHERE "updatedAt" >= \(.date(first)) ORDER BY "updatedAt" \
            LIMIT \(.integer(Int64(limit)))
            """, dialect)
    }
}
