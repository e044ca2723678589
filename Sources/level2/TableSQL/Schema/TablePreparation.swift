public import Scalars
public import Tables

/// Makes a database's tables match their definitions, in an open transaction.
///
/// `SchemaPlan` decides what is done, this protocol in which order, and a store how its database does each step.
public protocol TablePreparation {
    /// The type of the connection.
    associatedtype Connection: SQLConnection

    /// The connection in use.
    var connection: Connection { get }

    /// Whether everything will be rolled back anyway.
    var isTrial: Bool { get }

    /// The current time.
    var now: Instant { get }

    /// The limits on what clients may add.
    var limits: ClientLimits { get }

    /// Creates a table with its columns.
    func create(_ table: Table) throws(Connection.Failure)

    /// Adds columns, at least one.
    func add(_ columns: [Column], to table: Identifier) throws(Connection.Failure)

    /// Moves the fence of a changed table past all stamps that a device may have seen.
    func passFence(of table: Identifier) throws(Connection.Failure)

    /// Updates a table's triggers to this version's, and records them.
    /// - Returns: those that another program had removed or changed.
    func makeTriggers(of table: Identifier, softDelete: Bool, isNew: Bool) throws(Connection.Failure) -> [String]

    /// Gives every row a new version and stamp, in their current order. The stamps lie before the current time, as far
    /// as there is room.
    /// - Parameters:
    ///   - count: the number of rows, at least 1.
    ///   - softDelete: whether deletes should have left tombstones, so that the fence moves past all stamps.
    func renewRows(_ count: Int64, of table: Identifier, softDelete: Bool) throws(Connection.Failure)

    /// Creates an index, unless it exists.
    func make(_ index: CreateIndexStatement) throws(Connection.Failure)

    /// Registers a table that is as it should be, or missing.
    /// - Returns: the table as served.
    func put(_ table: Table) throws(Connection.Failure) -> Table

    /// Inserts a definition's rows into its new table.
    func insert(_ seed: [[Property]], into table: Table) throws(Connection.Failure)
}

extension TablePreparation {
    /// Creates the table, or adds what the definition has gained. A table of the configuration that is missing stays
    /// so, and the others are served; a trial refuses it.
    @discardableResult
    public func prepare(
        _ wanted: TableDefinition, origin: RegisteredTable.Origin
    ) throws(Connection.Failure) -> Table {
        try decide(wanted.check)
        let registered = try registration(of: wanted.name)
        let found = try connection.schema(of: registered?.name ?? wanted.name)
        if let registered, found == nil, origin == .configuration, !isTrial {
            return try put(Table(name: registered.name, columns: wanted.columns, rules: wanted.rules, isAway: true))
        }
        if registered == nil, found != nil { throw .table(foreign(wanted.name.text)) }
        let plan = try decide { () throws(TableError) in
            try SchemaPlan(wanted, for: origin, registered: registered, found: found)
        }
        if registered == nil, let statement = connection.dialect.otherSpelling(of: wanted.name),
            let other = try connection.rows(of: statement).first
        {
            throw .table(foreign(other.words(0)))
        }
        if plan.addsClientTable { try checkClientTables(plan) }
        let table = plan.table
        if plan.makesTable { try create(table) }
        if !plan.newColumns.isEmpty { try add(plan.newColumns, to: table.name) }
        try change(softDeleteBy: plan)
        try register(plan.definition, origin: origin)
        try mendTriggers(of: table.name, softDelete: table.rules.softDelete, isNew: plan.makesTable)
        for fields in try decide(plan.indexes) {
            let indexes = CreateIndexStatement.all(fields, of: table.name, dialect: connection.dialect)
            for index in indexes { try make(index) }
        }
        let made = try put(table)
        if plan.makesTable { try insert(plan.definition.seed, into: made) }
        return made
    }

    /// Makes the configuration's tables match their definitions, and the triggers of all others match this version.
    public func prepareAll(_ definitions: [TableDefinition]) throws(Connection.Failure) {
        for definition in definitions { try prepare(definition, origin: .configuration) }
        let names = Set(definitions.map(\.name))
        for table in try connection.registeredTables() where !names.contains(table.name) {
            guard let schema = try connection.schema(of: table.name), schema.isWhole else { continue }
            try mendTriggers(of: table.name, softDelete: table.softDelete)
        }
    }

    /// Updates a table's triggers. If another program had removed or changed some, rows may have been written without
    /// them, so that every row gets a new version and stamp, and the database records why.
    private func mendTriggers(
        of table: Identifier, softDelete: Bool, isNew: Bool = false
    ) throws(Connection.Failure) {
        let lost = try makeTriggers(of: table, softDelete: softDelete, isNew: isNew)
        // Triggers of a later version are left alone.
        guard !isNew, !lost.isEmpty, try !SchemaVersionStatus(on: connection).isLater else { return }
        try connection.note(lost: lost, of: table, at: now)
        // Everything will be rolled back anyway.
        if isTrial { return }
        try renewRows(max(try connection.rowCount(of: table), 1), of: table, softDelete: softDelete)
    }

    /// Returns the record of a table that zumod created, locked until the commit. If names only differ in case, the
    /// requested spelling is used.
    private func registration(of name: Identifier) throws(Connection.Failure) -> RegisteredTable? {
        let (dialect, text) = (connection.dialect, SQLFragment(.text(name.text)))
        let found = try connection.rows(
            of: """
                SELECT name, origin, soft_delete FROM zumod_tables WHERE lower(name) = lower(\(text))\(dialect.rowLock)
                """
        ).first
        guard let found, let spelled = Identifier(found.words(0)) else { return nil }
        return RegisteredTable(
            name: dialect.otherSpelling(of: name) == nil ? name : spelled,
            origin: RegisteredTable.Origin(rawValue: found.words(1)) ?? .configuration, softDelete: found.boolean(2))
    }

    /// Registers a table. An existing one keeps its last stamp; one created by a client becomes the configuration's.
    private func register(
        _ definition: TableDefinition, origin: RegisteredTable.Origin
    ) throws(Connection.Failure) {
        let (name, dialect) = (definition.name.text, connection.dialect)
        let columns: SQLFragment = dialect.keepsRelations ? "name, relation" : "name"
        var names = SQLFragment(.text(name))
        if dialect.keepsRelations { names = "\(names), \(.text(dialect.physicalName(name)))" }
        _ = try connection.rows(
            of: """
                INSERT INTO zumod_tables (\(columns), origin, soft_delete) VALUES (\(names), \
                \(.text(origin.rawValue)), \(.boolean(definition.rules.softDelete))) \
                ON CONFLICT (name) DO UPDATE SET origin = excluded.origin, soft_delete = excluded.soft_delete
                """)
    }

    /// Changes soft delete. Rows deleted while it was off count as purged.
    private func change(softDeleteBy plan: SchemaPlan) throws(Connection.Failure) {
        let name = plan.table.name
        switch plan.softDeleteChange {
        case .ends:
            let count = try connection.rows(
                of: "SELECT count(*) FROM \(name) WHERE \"deleted\" = \(.boolean(true))"
            ).first
            try decide { () throws(TableError) in try plan.check(tombstones: count?.integer(0) ?? 0) }
        case .begins: try passFence(of: name)
        case nil: break
        }
    }

    /// Returns the error for a table of another program, with what to do.
    private func foreign(_ table: String) -> TableError {
        // Where names differ by case, tables of other programs are those that can be adopted.
        let remedy =
            connection.dialect.keepsRelations
            ? "`zumod table create \(table) --adopt` takes it over; else rename it, or define the table by another name"
            : "rename it, or define the table by another name"
        return .definition("\(SchemaPlan.isForeign(table).detail): \(remedy)")
    }

    private func checkClientTables(_ plan: SchemaPlan) throws(Connection.Failure) {
        let count = try connection.rows(of: "SELECT count(*) FROM zumod_tables WHERE origin = 'client'").first
        try decide { () throws(TableError) in try plan.check(clientTables: count?.integer(0) ?? 0, within: limits) }
    }

    /// Decides something without the database; the decision's errors become those of the call.
    private func decide<Decision>(
        _ make: () throws(TableError) -> Decision
    ) throws(Connection.Failure) -> Decision {
        do throws(TableError) {
            return try make()
        } catch {
            throw .table(error)
        }
    }
}
