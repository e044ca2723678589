import Scalars
import Tables

/// Reads of the stamps that rows have.
enum StampStatement {
    /// The stamp of the row with an id: one date, or no row.
    static func find(_ id: RowID, in table: Table, dialect: any SQLDialect) -> SQLText {
        SQLText("SELECT \"updatedAt\" FROM \(table.name) WHERE \"id\" = \(id.value)", dialect)
    }

    /// A stamp, where a row has it.
    static func find(_ stamp: Instant, in table: Table, dialect: any SQLDialect) -> SQLText {
        SQLText("SELECT \"updatedAt\" FROM \(table.name) WHERE \"updatedAt\" = \(.date(stamp)) LIMIT 1", dialect)
    }

    /// Stamps from one on and in order, a date a row.
    static func list(from first: Instant, limit: Int, in table: Table, dialect: any SQLDialect) -> SQLText {
        SQLText(
            """
            SELECT "updatedAt" FROM \(table.name) WHERE "updatedAt" >= \(.date(first)) ORDER BY "updatedAt" \
            LIMIT \(.integer(Int64(limit)))
            """, dialect)
    }
}
