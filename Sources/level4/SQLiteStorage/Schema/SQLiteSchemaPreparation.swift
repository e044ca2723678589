import ByteText
import TableSQL
import Tables

/// Prepares tables inside an open batch of the session.
struct SQLiteSchemaPreparation: TablePreparation {
    let session: WriteSession
    let isTrial: Bool
    var connection: SQLiteConnection { session.connection }
    var limits: ClientLimits { session.limits }

    init(_ session: WriteSession, isTrial: Bool = false) {
        self.session = session
        self.isTrial = isTrial
    }

    func create(_ table: Table) throws(TableError) {
        try connection.run(CreateTableStatement(table, dialect: session.dialect).sql.text)
    }

    func add(_ columns: [Column], to table: Identifier) throws(TableError) {
        try connection.addColumns(columns, to: table)
    }

    func passFence(of table: Identifier) throws(TableError) {
        let used = try connection.rows(
            "SELECT 1 FROM zumod_tables WHERE name = ?1 AND last_stamp > 0", [.text(table.text)])
        if !used.isEmpty { try session.movePurgeFence(of: table, to: session.renewal(of: table).stamp) }
    }

    func make(_ index: CreateIndexStatement) throws(TableError) {
        try connection.run(index.sql.text)
    }

    func put(_ table: Table) throws(TableError) -> Table {
        let table = table.isAway ? table : try indexed(table)
        session.put(table)
        return table
    }

    /// Inserts rows in the same way as any other insert.
    func insert(_ seed: [[Property]], into table: Table) throws(TableError) {
        for (index, row) in seed.enumerated() {
            do throws(TableError) {
                let write = try RowWrite(seed: row, into: session.table(named: table.name))
                if try session.perform(write).outcome != .written { throw .definition("its id is taken") }
            } catch {
                throw SeedRow.failure(error, row: index + 1, of: table.name)
            }
        }
    }

    func makeTriggers(of table: Identifier, softDelete: Bool, isNew: Bool) throws(TableError) {
        let memory = SQLiteTriggerDrift(session: session, table: table)
        let existing = isNew ? [:] : try triggers(of: table)
        let recorded = try memory.recorded()
        let triggers = SQLiteTriggers(for: table, softDelete: softDelete)
        for (name, text) in triggers.all {
            if !recorded[ExactText(name)].isExactly(text) { try memory.record(name, text) }
            if existing[ExactText(name)].isExactly(text) { continue }
            try connection.run("DROP TRIGGER IF EXISTS \"\(name)\"")
            if let text { try connection.run(text) }
        }
        guard !isNew else { return }
        let lost = memory.names(recorded: recorded, found: existing, wanted: triggers)
        // Triggers of a later version are left alone.
        if !lost.isEmpty, try !SchemaVersionStatus(on: connection).isLater {
            try memory.mend(lost, softDelete: softDelete, isTrial: isTrial)
        }
    }

    /// Returns the texts of the table's triggers by name. All at once, as SQLite searches its whole schema for them.
    private func triggers(of table: Identifier) throws(TableError) -> [ExactText: String] {
        try connection.texts(
            "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = ?1 COLLATE NOCASE", of: table)
    }

    /// Returns the tables that clients created in earlier runs, except those that the definitions name.
    func clientTables(besides names: Set<Identifier>) throws(TableError) -> [Table] {
        var tables: [Table] = []
        for entry in try connection.registeredTables() where entry.origin == .client && !names.contains(entry.name) {
            let rules = TableRules(softDelete: entry.softDelete)
            let known = Table(name: entry.name, columns: [], rules: rules, isClients: true, isAway: true)
            tables.append(try indexed(known.found(as: try connection.schema(of: entry.name))))
        }
        return tables
    }

    /// Returns the table with its indexes, except any with missing columns: an old definition may have named those.
    func indexed(_ table: Table) throws(TableError) -> Table {
        let names = Set(try connection.indexNames(of: table.name))
        let indexes = names.sorted().compactMap { name -> [Field]? in
            guard let columns = CreateIndexStatement.columns(ofIndex: name, of: table.name) else { return nil }
            let fields = columns.compactMap { table.field(named: $0.text) }
            let parts = CreateIndexStatement.all(fields, of: table.name, dialect: session.dialect)
            return parts.allSatisfy { names.contains($0.name) } ? fields : nil
        }
        return table.indexed(by: indexes)
    }
}
