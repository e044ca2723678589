import ByteText
import Scalars
import TableSQL
import Tables

/// Prepares tables inside an open batch of the session.
struct SQLiteSchemaPreparation: TablePreparation {
    let session: WriteSession
    let isTrial: Bool
    var connection: SQLiteConnection { session.connection }
    var now: Instant { session.now }
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

    func makeTriggers(of table: Identifier, softDelete: Bool, isNew: Bool) throws(TableError) -> [String] {
        let memory = SQLiteTriggerDrift(connection: connection, table: table)
        let existing = isNew ? [:] : try memory.found()
        let recorded = try memory.recorded()
        let triggers = SQLiteTriggers(for: table, softDelete: softDelete)
        for (name, text) in triggers.all {
            if !recorded[ExactText(name)].isExactly(text) { try memory.record(name, text) }
            if existing[ExactText(name)].isExactly(text) { continue }
            try connection.run("DROP TRIGGER IF EXISTS \"\(name)\"")
            if let text { try connection.run(text) }
        }
        return TriggerDriftReport.lost(recorded, found: existing, essential: triggers.stamping) { name, before, now in
            now.isExactly(before) || triggers.isFormer(name, now, of: table)
        }
    }

    func renewRows(_ count: Int64, of table: Identifier, softDelete: Bool) throws(TableError) {
        guard let first = try session.renewals(count, of: table) else {
            throw .failed(detail: "the database has a version beyond \(ImportRow.highestVersion.counter)")
        }
        // Triggers of other programs may write the rows again.
        try session.withNumbers { () throws(TableError) in
            try connection.run(RenewRowsStatement.sqlite(table, from: first))
        }
        if softDelete { try session.movePurgeFence(of: table, to: first.stamp) }
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
