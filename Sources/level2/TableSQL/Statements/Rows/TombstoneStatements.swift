public import Scalars
public import Tables

/// A tombstone.
public struct Tombstone: Sendable {
    /// The row's id.
    public let id: RowID
    /// When it was deleted.
    public let stamp: Instant

    /// Reads the rows of `TombstoneStatements.list`. Invalid stamps from a SQL shell are skipped: they have no age.
    public static func all(of rows: [SQLRow], in table: Table) -> [Tombstone] {
        rows.compactMap { row in
            row.date(1).map {
                Tombstone(
                    id: table.rules.autoIncrement ? .integer(row.integer(0) ?? 0) : .text(row.words(0)), stamp: $0)
            }
        }
    }
}

/// Statements that find and remove the oldest tombstones of a table.
public struct TombstoneStatements: Sendable {
    /// The table.
    public let table: Table
    /// The stamp of the first tombstones; nil for the oldest.
    public var start: Instant?
    /// The instant before which the rows must have been deleted.
    public let before: Instant
    /// How many are found at once.
    public var limit = Int.max

    /// Counts them.
    var count: SQLFragment { "SELECT count(*) FROM \(table.name) WHERE \(condition)" }

    /// Returns ids and stamps, oldest first.
    /// - Parameter references: foreign keys by which no row may refer to them. Referring rows are looked up once for
    ///   all, which without an index takes as long as for one.
    public func list(unless references: [RowReference] = []) -> SQLFragment {
        let isLater: SQLFragment = start.map { " AND \"updatedAt\" >= \(.date($0))" } ?? ""
        let isFree = references.map { " AND \($0.refersNot)" as SQLFragment }.joined(by: "")
        return """
            SELECT "id", "updatedAt" FROM \(table.name) WHERE \(condition)\(isLater)\(isFree) \
            ORDER BY "updatedAt", "id" LIMIT \(.integer(Int64(limit)))
            """
    }

    /// Locks a row against new references to it, until the transaction ends.
    public func lock(_ id: RowID, by dialect: any SchemaDialect) -> SQLFragment {
        "SELECT 1 FROM \(table.name) WHERE \"id\" = \(id.value)\(dialect.rowLock)"
    }

    /// Removes a tombstone and returns its id, or no row if there was none to remove.
    /// - Parameter references: foreign keys by which no row may refer to it.
    public func remove(_ id: RowID, unless references: [RowReference]) -> SQLFragment {
        let isFree = references.map { " AND NOT \($0.refers(in: table))" as SQLFragment }.joined(by: "")
        return "DELETE FROM \(table.name) WHERE \"id\" = \(id.value) AND \(condition)\(isFree) RETURNING \"id\""
    }

    /// Returns the index of the first of some foreign keys by which rows refer to a tombstone; no row if none do.
    public func reference(to id: RowID, by references: [RowReference]) -> SQLFragment {
        let places = references.enumerated().map { place, reference -> SQLFragment in
            " WHEN \(reference.refers(in: table)) THEN \(SQLFragment(stringLiteral: "\(place)"))"
        }
        return """
            SELECT place FROM (SELECT CASE\(places.joined(by: "")) END AS place FROM \(table.name) \
            WHERE "id" = \(id.value) AND \(condition)) AS found WHERE place IS NOT NULL
            """
    }

    private var condition: SQLFragment {
        "\"deleted\" = \(.boolean(true)) AND \"updatedAt\" < \(.date(before))"
    }

    /// Records that tombstones of a table are gone up to a stamp. Also locks the table's row, as every write does.
    public static func moveFence(of table: Identifier, to stamp: Instant) -> SQLFragment {
        let fence = SQLFragment(.integer(stamp.milliseconds))
        return """
            UPDATE zumod_tables SET purged_through = CASE WHEN purged_through > \(fence) THEN purged_through \
            ELSE \(fence) END WHERE name = \(.text(table.text))
            """
    }
}
