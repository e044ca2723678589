public import Scalars

// Findings that both databases share, in the same words.
extension Finding {
    /// Returns the finding that the schema is another version's.
    public static func otherSchema(isLater: Bool) -> Finding {
        isLater
            ? Finding(.otherSchema, "the schema is from a later version of zumod", advice: "use that version")
            : Finding(
                .otherSchema, "the schema is not this version's", advice: "run `zumod migrate`, and this again")
    }

    /// Returns the finding that a registered table doesn't exist.
    /// - Parameter forgetting: the statements that unregister it.
    public static func gone(_ table: Identifier, forgetting: [String]) -> Finding {
        Finding(
            .goneTable, table: table.text, "zumod made the table, but it is gone",
            advice:
                "name it again as it was, restore it from a backup, or forget it, with its rows, while no server runs:",
            sql: forgetting)
    }

    /// Returns the finding that an index is missing.
    public static func missingIndex(_ name: String, of table: Identifier) -> Finding {
        Finding(
            .missingIndex, table: table.text, "its index \(name) is missing",
            advice: "run `zumod migrate`, which makes it")
    }

    /// Returns the finding that a trigger is missing or altered.
    /// - Parameter state: for example, `missing`.
    public static func trigger(_ name: String, of table: Identifier, is state: String) -> Finding {
        Finding(.trigger, table: table.text, "its trigger \(name) is \(state)", advice: migration)
    }

    /// The advice that repairs triggers and their functions: a start of the server does the same.
    public static let migration = "run `zumod migrate`, which makes it anew and gives every row a new stamp"

    /// Returns the findings about the stamps and versions of a table's rows.
    /// - Parameters:
    ///   - repeated: how many stamps occur on more than one row, with an example.
    ///   - disordered: how many rows have a lower version than one with an earlier stamp, with the stamp of one.
    ///   - remedies: the statements for each.
    public static func stamps(
        of table: Identifier, repeated: (Int64, String)?, disordered: (Int64, String)?,
        remedies: (repeated: [String], disordered: [String])
    ) -> [Finding] {
        let advice = "give such rows new stamps and versions:"
        let first = repeated.map { count, example in
            Finding(
                .repeatedStamps, table: table.text,
                "stamps that are on more than one row: \(count), such as \(example)", advice: advice,
                sql: remedies.repeated)
        }
        let second = disordered.map { count, example in
            Finding(
                .disorder, table: table.text,
                "rows with a lower version than rows of earlier stamps: \(count), such as at \(example)",
                advice: advice, sql: remedies.disordered)
        }
        return [first, second].compactMap(\.self)
    }

    /// Returns the finding that a row has a later stamp than the last one given; nil if none has.
    /// - Parameter remedy: the statements that raise the last stamp up to the clock, and give new ones to rows beyond
    ///   it: otherwise everything written later would have that stamp.
    public static func lateStamp(_ latest: Instant, in table: RegisteredTable, remedy: [String]) -> Finding? {
        // `stampsAtEnd` reports later ones.
        guard latest.milliseconds > table.lastStamp, latest < ImportRow.latestStamp else { return nil }
        return Finding(
            .lateStamp, table: table.name.text,
            "a row has a later stamp (\(latest.wireText)) than the last one that was given",
            advice:
                "raise the last stamp to those of rows that are not in the future, and give new ones to those that are:",
            sql: remedy)
    }

    /// Returns the finding that a row has a higher version than the last one given; nil if none has.
    /// - Parameter remedy: the statements that raise the counter.
    public static func highVersion(
        _ version: Int64, over counter: Int64, in table: RegisteredTable, remedy: [String]
    ) -> Finding? {
        // `versionsAtEnd` reports higher ones.
        guard version > counter, version < ImportRow.highestVersion.counter else { return nil }
        return Finding(
            .highVersion, table: table.name.text,
            "a row has a higher version (\(version)) than the last one that was given (\(counter))",
            advice: "raise the counter:", sql: remedy)
    }

    /// Returns the finding that a table without soft delete has tombstones; nil if there are none.
    /// - Parameter removal: the statements that remove them.
    public static func visibleTombstones(_ count: Int64, in table: RegisteredTable, removal: [String]) -> Finding? {
        guard count > 0, !table.softDelete else { return nil }
        return Finding(
            .visibleTombstones, table: table.name.text,
            "rows marked as deleted that clients see, since the table has no soft delete: \(count)",
            advice: "set softDelete: true in its file, which hides them again, or remove them for good:", sql: removal)
    }
}
