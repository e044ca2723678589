public import Scalars

// Counters near their limits, with no room for later writes.
extension Finding {
    /// Returns the finding about a table's stamps; nil if there is room.
    /// - Parameters:
    ///   - relation: the table's name in the database.
    ///   - latest: the latest stamp of a row.
    ///   - usual: the latest stamp that leaves room.
    public static func stampsAtEnd(
        of table: RegisteredTable, in relation: String, latest: Instant?, usual: Instant?
    ) -> Finding? {
        let given = Instant(milliseconds: table.lastStamp)
        let last = max(latest ?? given, given)
        guard last >= ImportRow.latestStamp else { return nil }
        let usual = usual?.milliseconds ?? (given < ImportRow.latestStamp ? given.milliseconds : 0)
        return Finding(
            .room, table: table.name.text,
            "its stamps are near their end (\(last.wireText)), where no more writes are taken",
            advice: "stop the servers, and give its rows stamps of today:",
            sql: [
                "UPDATE zumod_tables SET last_stamp = \(usual) WHERE name = '\(table.name)'",
                """
                UPDATE "\(relation)" SET "id" = "id" WHERE "updatedAt" >= '\(ImportRow.latestStamp.wireText)'
                """,
            ])
    }

    /// Returns the finding about the highest id of a table that numbers its rows; nil if there is room.
    /// - Parameter counter: the statement that resets the counter to the rows' highest id.
    public static func idsAtEnd(
        of table: Identifier, in relation: String, highest: Int64, given: Int64, counter: String
    ) -> Finding? {
        guard max(highest, given) > RowID.highestNumber else { return nil }
        let (problem, limit) =
            ("its ids are near their end (\(max(highest, given))), where no more rows are taken", RowID.highestNumber)
        guard highest > limit else {
            return Finding(
                .room, table: table.text, problem,
                advice: "stop the servers, and move the counter back to what the rows have:", sql: [counter])
        }
        return Finding(
            .room, table: table.text, problem,
            advice:
                "stop the servers, give the row another id, which devices that have it don't learn before they purge the "
                + "table, and move the counter back; then see whether there is another such row:",
            sql: [
                """
                UPDATE "\(relation)" SET "id" = (SELECT coalesce(max("id"), 0) + 1 FROM "\(relation)" \
                WHERE "id" <= \(limit)) WHERE "id" = \(highest)
                """, counter,
            ])
    }

    /// Returns the finding about the versions of the whole database; nil if there is room.
    /// - Parameters:
    ///   - relations: the names in the database of the tables that have rows with such versions.
    ///   - counter: the statement that resets the counter.
    public static func versionsAtEnd(_ last: Int64, of relations: [String], counter: String) -> Finding? {
        let limit = ImportRow.highestVersion.counter
        guard last >= limit else { return nil }
        let statements =
            [counter] + relations.map { #"UPDATE "\#($0)" SET "id" = "id" WHERE "version" >= \#(limit)"# }
        return Finding(
            .room, "the versions are near their end (\(last)), where no more writes are taken",
            advice: "stop the servers, and give such rows new ones:", sql: statements)
    }
}
