public import Scalars
public import Tables

/// A tombstone.
public struct Tombstone: Sendable {
    /// The row's id.
    public let id: RowID
    /// When it was deleted.
    public let stamp: Instant

    /// Reads the rows of `TombstoneStatement.list`. Invalid stamps from a SQL shell are skipped: they have no age.
    public static func all(of rows: [SQLRow], in table: Table) -> [Tombstone] {
        rows.compactMap { row in
            row.date(1).map {
                Tombstone(
                    id: table.rules.autoIncrement ? .integer(row.integer(0) ?? 0) : .text(row.words(0)), stamp: $0)
            }
        }
    }
}

/// Statements that find and remove tombstones by age.
public enum TombstoneStatement {
    /// Records that tombstones of a table are gone up to a stamp. Also locks the table's row, as every write does.
    public static func moveFence(of table: Identifier, to stamp: Instant, dialect: any SQLDialect) -> SQLText {
        let fence = SQLFragment(.integer(stamp.milliseconds))
        return SQLText(
            """
            UPDATE zumod_tables SET purged_through = CASE WHEN purged_through > \(fence) THEN purged_through \
            ELSE \(fence) END WHERE name = \(.text(table.text))
            """, dialect)
    }

    /// Locks a row against new references to it, until the transaction ends.
    public static func lock(_ id: RowID, in table: Table, dialect: any SchemaDialect) -> SQLText {
        SQLText("SELECT 1 FROM \(table.name) WHERE \"id\" = \(id.value)\(dialect.rowLock)", dialect)
    }

    /// Removes a tombstone and returns its id, or no row if there was none to remove.
    /// - Parameters:
    ///   - before: an instant before which the row must have been deleted.
    ///   - references: foreign keys by which no row may refer to it.
    public static func remove(
        _ id: RowID, before: Instant, unless references: [RowReference], in table: Table, dialect: any SQLDialect
    ) -> SQLText {
        let isFree = references.map { " AND NOT \($0.refers(in: table))" as SQLFragment }.joined(by: "")
        return SQLText(
            """
            DELETE FROM \(table.name) WHERE "id" = \(id.value) AND \(tombstone(before))\(isFree) RETURNING "id"
            """, dialect)
    }

    /// Returns the index of the first of some foreign keys by which rows refer to a tombstone; no row if none do.
    /// - Parameter before: an instant before which the row must have been deleted.
    public static func reference(
        to id: RowID, before: Instant, by references: [RowReference], in table: Table, dialect: any SQLDialect
    ) -> SQLText {
        let places = references.enumerated().map { place, reference -> SQLFragment in
            " WHEN \(reference.refers(in: table)) THEN \(SQLFragment(stringLiteral: "\(place)"))"
        }
        return SQLText(
            """
            SELECT place FROM (SELECT CASE\(places.joined(by: "")) END AS place FROM \(table.name) \
            WHERE "id" = \(id.value) AND \(tombstone(before))) AS found WHERE place IS NOT NULL
            """, dialect)
    }

    /// Returns ids and stamps, oldest first.
    /// - Parameter references: foreign keys by which no row may refer to them. Referring rows are looked up once for
    ///   all, which without an index takes as long as for one.
    public static func list(
        from start: Instant?, before: Instant, limit: Int, unless references: [RowReference] = [], in table: Table,
        dialect: any SQLDialect
    ) -> SQLText {
        let isLater: SQLFragment = start.map { " AND \"updatedAt\" >= \(.date($0))" } ?? ""
        let isFree = references.map { " AND \($0.refersNot)" as SQLFragment }.joined(by: "")
        return SQLText(
            """
            SELECT "id", "updatedAt" FROM \(table.name) WHERE \(tombstone(before))\(isLater)\(isFree) \
            ORDER BY "updatedAt", "id" LIMIT \(.integer(Int64(limit)))
            """, dialect)
    }

    /// Counts all tombstones.
    public static func count(in table: Identifier, dialect: any SQLDialect) -> SQLText {
        SQLText("SELECT count(*) FROM \(table) WHERE \"deleted\" = \(.boolean(true))", dialect)
    }

    /// Counts the tombstones from before an instant.
    public static func count(before: Instant, in table: Table, dialect: any SQLDialect) -> SQLText {
        SQLText("SELECT count(*) FROM \(table.name) WHERE \(tombstone(before))", dialect)
    }

    private static func tombstone(_ before: Instant) -> SQLFragment {
        "\"deleted\" = \(.boolean(true)) AND \"updatedAt\" < \(.date(before))"
    }
}
