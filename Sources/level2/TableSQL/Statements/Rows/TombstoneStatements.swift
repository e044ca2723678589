public import Scalars
public import Tables

/// What is left of a deleted row.
public struct Tombstone: Sendable {
    /// The row's id.
    public let id: RowID
    /// When it was deleted.
    public let stamp: Instant

    /// What `TombstoneStatement.list` answered of a table. What a SQL shell left as a stamp tells no age.
    public static func all(of rows: [SQLRow], in table: Table) -> [Tombstone] {
        rows.compactMap { row in
            row.date(1).map {
                Tombstone(
                    id: table.rules.autoIncrement ? .integer(row.integer(0) ?? 0) : .text(row.words(0)), stamp: $0)
            }
        }
    }
}

/// Finds tombstones by their age.
public enum TombstoneStatement {
    /// Takes note that tombstones of a table are gone up to a stamp. Also locks the table's row, as every write does.
    public static func moveFence(of table: Identifier, to stamp: Instant, dialect: any SQLDialect) -> SQLText {
        let fence = SQLFragment(.integer(stamp.milliseconds))
        return SQLText(
            """
            UPDATE zumod_tables SET purged_through = CASE WHEN purged_through > \(fence) THEN purged_through \
            ELSE \(fence) END WHERE name = \(.text(table.text))
            """, dialect)
    }

    /// Holds a row against whoever would refer to it, until the transaction ends.
    public static func lock(_ id: RowID, in table: Table, dialect: any SchemaDialect) -> SQLText {
        SQLText("SELECT 1 FROM \(table.name) WHERE \"id\" = \(id.value)\(dialect.rowLock)", dialect)
    }

    /// Removes a tombstone and answers its id; no row where there was none to remove.
    /// - Parameters:
    ///   - before: an instant before which the row has to have been deleted.
    ///   - references: foreign keys by which no row may refer to it.
    public static func remove(
        _ id: RowID, before: Instant, unless references: [RowReference], in table: Table, dialect: any SQLDialect
    ) -> SQLText {
        var builder = SQLBuilder(dialect)
        builder.append("DELETE FROM \(table.name) WHERE \"id\" = \(id.value) AND \(tombstone(before))" as SQLFragment)
        for reference in references {
            builder.append(" AND NOT ")
            builder.isReferredTo(by: reference, in: table)
        }
        builder.append(" RETURNING \"id\"")
        return builder.build()
    }

    /// Says by which of some foreign keys rows refer to a tombstone: their place, and no row where there is none.
    /// - Parameter before: an instant before which the row has to have been deleted.
    public static func reference(
        to id: RowID, before: Instant, by references: [RowReference], in table: Table, dialect: any SQLDialect
    ) -> SQLText {
        var builder = SQLBuilder(dialect)
        builder.append("SELECT place FROM (SELECT CASE")
        for (place, reference) in references.enumerated() {
            builder.append(" WHEN ")
            builder.isReferredTo(by: reference, in: table)
            builder.append(" THEN \(place)")
        }
        builder.append(
            """
             END AS place FROM \(table.name) WHERE "id" = \(id.value) AND \(tombstone(before))) AS found \
            WHERE place IS NOT NULL
            """ as SQLFragment)
        return builder.build()
    }

    /// Reads ids and stamps, oldest first.
    /// - Parameter references: foreign keys by which no row may refer to them. The rows that refer are looked up once for
    ///   all, which without an index takes as long as for one.
    public static func list(
        from start: Instant?, before: Instant, limit: Int, unless references: [RowReference] = [], in table: Table,
        dialect: any SQLDialect
    ) -> SQLText {
        var builder = SQLBuilder(dialect)
        builder.append("SELECT \"id\", \"updatedAt\" FROM \(table.name) WHERE \(tombstone(before))" as SQLFragment)
        if let start { builder.append(" AND \"updatedAt\" >= \(.date(start))" as SQLFragment) }
        for reference in references {
            builder.append(" AND ")
            builder.isNoneReferredTo(by: reference)
        }
        builder.append(" ORDER BY \"updatedAt\", \"id\" LIMIT \(.integer(Int64(limit)))" as SQLFragment)
        return builder.build()
    }

    /// Counts all of them.
    public static func count(in table: Identifier, dialect: any SQLDialect) -> SQLText {
        SQLText("SELECT count(*) FROM \(table) WHERE \"deleted\" = \(.boolean(true))", dialect)
    }

    /// Counts them.
    public static func count(before: Instant, in table: Table, dialect: any SQLDialect) -> SQLText {
        SQLText("SELECT count(*) FROM \(table.name) WHERE \(tombstone(before))", dialect)
    }

    private static func tombstone(_ before: Instant) -> SQLFragment {
        "\"deleted\" = \(.boolean(true)) AND \"updatedAt\" < \(.date(before))"
    }
}
