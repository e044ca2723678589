public import OData

// What both databases can have wrong, in the same words.
extension Finding {
    /// The schema is another version's.
    public static func otherSchema(isLater: Bool) -> Finding {
        isLater
            ? Finding("the schema is from a later version of zumod", advice: "use that version")
            : Finding("the schema is not this version's", advice: "run `zumod migrate`, and this again")
    }

    /// A table of the list is not there.
    public static func gone(_ table: Identifier) -> Finding {
        Finding(
            table: table.text, "zumod made the table, but it is gone",
            advice: "restore it from a backup, or forget it: DELETE FROM zumod_tables WHERE name = '\(table)'")
    }

    /// A table has no longer a column that the server needs.
    public static func lost(_ column: SystemColumn, of table: Identifier) -> Finding {
        Finding(
            table: table.text, "it has lost its column \(column.rawValue)", advice: "restore the table from a backup")
    }

    /// Columns that a table's definition names and the table lacks.
    /// - Parameter columns: those that it has beside the server's own.
    public static func lost(_ definition: TableDefinition, among columns: [Column]) -> [Finding] {
        definition.columns.filter { declared in !columns.contains { $0.name == declared.name } }.map { column in
            Finding(
                table: definition.name.text, "it has no column \(column.name), which its definition names",
                advice: "run `zumod migrate`, which makes it, without values; those that were there are in a backup")
        }
    }

    /// An index is not there.
    public static func missingIndex(_ name: String, of table: Identifier) -> Finding {
        Finding(
            table: table.text, "its index \(name) is missing", advice: "run `zumod migrate`, which makes it")
    }

    /// What is wrong with the stamps and versions of a table's rows.
    /// - Parameters:
    ///   - relation: the table's name in the database.
    ///   - repeated: how many stamps are on more than one row, and one of them.
    ///   - disordered: how many rows have a lower version than one of an earlier stamp, and the stamp of one.
    public static func stamps(
        of table: Identifier, in relation: String, repeated: (Int64, String)?, disordered: (Int64, String)?
    ) -> [Finding] {
        let advice =
            #"give such rows new stamps and versions: UPDATE "\#(relation)" SET "id" = "id" WHERE "updatedAt" = …"#
        let first = repeated.map { count, example in
            Finding(
                table: table.text, "stamps that are on more than one row: \(count), such as \(example)",
                advice: advice)
        }
        let second = disordered.map { count, example in
            Finding(
                table: table.text,
                "rows with a lower version than rows of earlier stamps: \(count), such as at \(example)",
                advice: advice)
        }
        return [first, second].compactMap(\.self)
    }

    /// A row has a later stamp than was given; nil where none has.
    public static func lateStamp(_ latest: Instant, in table: RegisteredTable) -> Finding? {
        guard latest.milliseconds > table.lastStamp else { return nil }
        return Finding(
            table: table.name.text,
            "a row has a later stamp (\(latest.wireText)) than the last one that was given",
            advice: "UPDATE zumod_tables SET last_stamp = \(latest.milliseconds) WHERE name = '\(table.name)'")
    }

    /// A row has a higher version than was given; nil where none has.
    /// - Parameter advice: how to raise the counter.
    public static func highVersion(
        _ version: Int64, over counter: Int64, in table: RegisteredTable, advice: String
    ) -> Finding? {
        guard version > counter else { return nil }
        return Finding(
            table: table.name.text,
            "a row has a higher version (\(version)) than the last one that was given (\(counter))", advice: advice)
    }

    /// Tombstones in a table that hides none; nil where there are none.
    /// - Parameter removal: the statement that removes them.
    public static func visibleTombstones(_ count: Int64, in table: RegisteredTable, removal: String) -> Finding? {
        guard count > 0, !table.softDelete else { return nil }
        return Finding(
            table: table.name.text,
            "rows marked as deleted that clients see, since the table has no soft delete: \(count)",
            advice: "set softDelete: true in its file, or \(removal)")
    }
}
