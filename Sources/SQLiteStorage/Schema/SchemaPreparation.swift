import ByteText
import TableSQL
import Tables

/// Makes the database's tables match their definitions. Runs inside an open batch of the session.
struct SchemaPreparation {
    let session: WriteSession
    /// Whether all is taken back anyway.
    private let isTrial: Bool
    private var connection: SQLiteConnection { session.connection }

    init(_ session: WriteSession, isTrial: Bool = false) {
        self.session = session
        self.isTrial = isTrial
    }

    /// Brings the triggers of tables that the configuration doesn't name to this version's.
    func makeTriggers(besides names: Set<Identifier>) throws(TableError) {
        var found: [(name: Identifier, softDelete: Bool)] = []
        try connection.query("SELECT name, soft_delete FROM zumod_tables") { row in
            guard let name = Identifier(row.string(at: 0)), !names.contains(name) else { return }
            found.append((name, row.integer(at: 1) != 0))
        }
        for (name, softDelete) in found {
            guard let schema = try TableSchema(of: name, in: connection), schema.isWhole else { continue }
            try makeTriggers(of: name, softDelete: softDelete)
        }
    }

    /// Makes the table, or adds what the definition gained, and puts it among the session's tables. One of the
    /// configuration that is away stays so, and the others are served; a trial refuses it.
    func prepare(_ wanted: TableDefinition, origin: TableRegistration.Origin) throws(TableError) -> Table {
        try wanted.check()
        let registered = try registration(of: wanted.name)
        let found = try TableSchema(of: wanted.name, in: connection)
        if let registered, found == nil, origin == .configuration, !isTrial {
            let away = Table(name: registered.name, columns: wanted.columns, rules: wanted.rules, isAway: true)
            session.put(away)
            return away
        }
        let plan = try SchemaPlan(wanted, for: origin, registered: registered, found: found)
        if plan.addsClientTable { try plan.check(clientTables: try countClientTables(), within: session.limits) }
        let table = plan.table
        if plan.makesTable { try connection.run(CreateTableStatement(table, dialect: session.dialect).sql.text) }
        try connection.addColumns(plan.newColumns, to: table.name)
        try change(softDeleteBy: plan)
        try register(plan.definition, origin: origin)
        try makeTriggers(of: table.name, softDelete: table.rules.softDelete, isNew: plan.makesTable)
        try makeIndexes(by: plan)
        session.put(try indexed(table))
        if plan.makesTable { try SeedRows(session).insert(plan.definition.seed, into: table.name) }
        return try session.table(named: table.name)
    }

    /// The tables that clients made in earlier runs, but for those that the definitions name.
    func clientTables(besides names: Set<Identifier>) throws(TableError) -> [Table] {
        var found: [(name: Identifier, softDelete: Bool)] = []
        try connection.query("SELECT name, soft_delete FROM zumod_tables WHERE origin = 'client'") { row in
            guard let name = Identifier(row.string(at: 0)), !names.contains(name) else { return }
            found.append((name, row.integer(at: 1) != 0))
        }
        var tables: [Table] = []
        for (name, softDelete) in found {
            var rules = TableRules()
            rules.softDelete = softDelete
            let known = Table(name: name, columns: [], rules: rules, isClients: true, isAway: true)
            tables.append(try indexed(known.found(as: try TableSchema(of: name, in: connection))))
        }
        return tables
    }

    /// What is known of a table that zumod made. SQLite takes a name in any case, so the spelling that is asked for stays.
    private func registration(of name: Identifier) throws(TableError) -> TableRegistration? {
        var found: TableRegistration?
        try connection.query("SELECT origin, soft_delete FROM zumod_tables WHERE name = ?1", [.text(name.text)]) {
            row in
            found = TableRegistration(
                name: name, origin: TableRegistration.Origin(rawValue: row.string(at: 0)) ?? .configuration,
                softDelete: row.integer(at: 1) != 0)
        }
        return found
    }

    /// A table that is there keeps its last stamp; one that a client made becomes the configuration's.
    private func register(_ definition: TableDefinition, origin: TableRegistration.Origin) throws(TableError) {
        try connection.run(
            """
            INSERT INTO zumod_tables (name, origin, soft_delete) VALUES (?1, ?2, ?3)
            ON CONFLICT (name) DO UPDATE SET origin = excluded.origin, soft_delete = excluded.soft_delete
            """,
            [.text(definition.name.text), .text(origin.rawValue), .boolean(definition.rules.softDelete)])
    }

    /// Rows that were deleted while none stayed as tombstones are as good as purged: the fence moves past all stamps that a
    /// device can have seen.
    private func change(softDeleteBy plan: SchemaPlan) throws(TableError) {
        let name = plan.table.name
        switch plan.softDeleteChange {
        case .ends:
            let statement = TombstoneStatement.count(in: name, dialect: session.dialect)
            var count: Int64 = 0
            try connection.query(statement.text, statement.bindings) { count = $0.integer(at: 0) }
            try plan.check(tombstones: count)
        case .begins:
            var isUsed = false
            try connection.query(
                "SELECT 1 FROM zumod_tables WHERE name = ?1 AND last_stamp > 0", [.text(name.text)]
            ) { _ in isUsed = true }
            if isUsed { try session.movePurgeFence(of: name, to: session.renewal(of: name).stamp) }
        case nil: break
        }
    }

    private func countClientTables() throws(TableError) -> Int64 {
        var count: Int64 = 0
        try connection.query("SELECT count(*) FROM zumod_tables WHERE origin = 'client'") { count = $0.integer(at: 0) }
        return count
    }

    private func makeTriggers(of table: Identifier, softDelete: Bool, isNew: Bool = false) throws(TableError) {
        let memory = LostTriggers(session: session, table: table)
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
        // A later version's triggers are none of this one's business.
        if !lost.isEmpty, try !SchemaAge(of: connection).isLater {
            try memory.mend(lost, softDelete: softDelete, isTrial: isTrial)
        }
    }

    /// The texts of the table's triggers by their names. All at once: SQLite looks through its whole schema for them.
    private func triggers(of table: Identifier) throws(TableError) -> [ExactText: String] {
        var texts: [ExactText: String] = [:]
        try connection.query(
            "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = ?1 COLLATE NOCASE",
            [.text(table.text)]
        ) { texts[ExactText($0.string(at: 0))] = $0.string(at: 1) }
        return texts
    }

    private func makeIndexes(by plan: SchemaPlan) throws(TableError) {
        for fields in try plan.indexes() {
            for index in CreateIndexStatement.all(fields, of: plan.table.name, dialect: session.dialect) {
                try connection.run(index.sql.text)
            }
        }
    }

    /// The table with its indexes, but for those that lack a part: a definition of long ago may have asked for them.
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
