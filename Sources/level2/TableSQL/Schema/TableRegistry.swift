import ByteText
public import Scalars
public import Tables

/// A database's records of the tables that the server created.
extension SQLConnection {
    /// Returns the tables, by name.
    public func registeredTables() throws(Failure) -> [RegisteredTable] {
        try rows(
            of: """
                SELECT name, origin, soft_delete, last_stamp, purged_through, imported_through FROM zumod_tables
                ORDER BY lower(name)
                """
        ).compactMap { row in
            guard let name = row.text(0).flatMap({ Identifier($0) }) else { return nil }
            return RegisteredTable(
                name: name, origin: row.text(1).flatMap { RegisteredTable.Origin(rawValue: $0) } ?? .configuration,
                softDelete: row.boolean(2), lastStamp: row.integer(3) ?? 0, purgedThrough: row.instant(4),
                imported: Version(counter: row.integer(5) ?? 0))
        }
    }

    /// Returns the last version given; nil if its record is missing.
    public func lastVersion() throws(Failure) -> Int64? {
        try rows(of: dialect.lastVersion).first?.integer(0)
    }

    /// Returns the last number given to a row of a table; nil if there was none yet.
    public func lastNumber(of table: Identifier) throws(Failure) -> Int64? {
        try rows(of: dialect.lastNumber(of: table)).first?.integer(0)
    }

    /// Returns the trigger losses that haven't been acknowledged yet.
    public func unansweredLosses() throws(Failure) -> [TriggerDriftReport] {
        try rows(of: "SELECT table_name, triggers, found_at FROM zumod_losses ORDER BY table_name").map {
            TriggerDriftReport(
                table: $0.text(0) ?? "", triggers: $0.text(1) ?? "",
                foundAt: $0.instant(2) ?? Instant(milliseconds: 0))
        }
    }

    /// Records that another program had removed or changed triggers of a table.
    public func note(lost triggers: [String], of table: Identifier, at now: Instant) throws(Failure) {
        _ = try rows(
            of: """
                INSERT INTO zumod_losses (table_name, found_at, triggers) VALUES (\(.text(table.text)), \
                \(.integer(now.milliseconds)), \(.text(triggers.joined(separator: ", ")))) \
                ON CONFLICT (table_name) DO UPDATE SET found_at = excluded.found_at, triggers = excluded.triggers
                """)
    }

    /// Returns the number of a table's rows, including tombstones.
    public func rowCount(of table: Identifier) throws(Failure) -> Int64 {
        try rows(of: "SELECT count(*) FROM \(table)").first?.integer(0) ?? 0
    }

    /// Returns what an export contains besides rows.
    public func contents() throws(Failure) -> SnapshotContents {
        let version = Version(counter: try lastVersion() ?? 0)
        var tables: [SnapshotTable] = []
        var away: [Identifier] = []
        for entry in try registeredTables() {
            guard let schema = try schema(of: entry.name), schema.isWhole else {
                away.append(entry.name)
                continue
            }
            let marks = TransferMarks(
                version: version, lastStamp: Instant(milliseconds: entry.lastStamp), purgedThrough: entry.purgedThrough,
                lastNumber: schema.hasIntegerID ? try lastNumber(of: entry.name) : nil)
            let table = Table(
                name: entry.name, columns: schema.columns,
                rules: TableRules(softDelete: entry.softDelete, autoIncrement: schema.hasIntegerID),
                isClients: entry.origin == .client)
            let served = schema.columns.map { ExactText(dialect.physicalName($0.name.text)) }
            let unserved = schema.columnNames.filter {
                SystemColumn(named: $0) == nil && !served.contains(ExactText($0))
            }
            tables.append(SnapshotTable(table, marks, unserved: unserved))
        }
        return SnapshotContents(tables: tables, away: away)
    }

    /// Adds the database's own records to a listing of the schema: migrations, rules of tables, losses.
    public func list(into listing: inout SchemaListing) throws(Failure) {
        if try has("zumod_migrations") {
            for row in try rows(of: "SELECT name FROM zumod_migrations") {
                listing.add("migration \(row.words(0))", "")
            }
        }
        if try has("zumod_tables") {
            for row in try rows(of: "SELECT name, origin, soft_delete FROM zumod_tables") {
                listing.add("rules of table \(row.words(0))", "\(row.words(1)) \(row.boolean(2))")
            }
        }
        guard try has("zumod_losses") else { return }
        for loss in try unansweredLosses() {
            listing.add("note that table \(loss.table) had lost triggers", loss.foundAt.wireText)
        }
    }
}
