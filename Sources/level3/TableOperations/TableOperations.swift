public import Access
public import Tables

/// What callers do with rows: the single path from every protocol generation to the store.
///
/// Access is decided and a table's behaviours are applied here, so that they are the same for the clients of every
/// generation. A write is a value, a `TableWrite`, that passes these steps in order, each of which may change, answer
/// or refuse it: access, the table's scripts, the program's hooks, required columns, the row's owner, the store, the
/// notice to the observers of writes, the after-hooks, and the conflict policy.
public final class TableOperations: Sendable {
    let store: any TableStore
    let notices: (any WriteNotices)?
    private let access: [Identifier: AccessRules]
    let behaviours: [Identifier: TableBehaviour]
    let clock: Clock
    /// A program's hooks around the writes, by table.
    let hooks: [Identifier: TableHooks]
    /// The scripts of tables; nil if there are none.
    let scripts: (any TableScripts)?
    /// Receives hook errors that don't fail a write.
    let report: @Sendable (String) -> Void
    /// Whether these rules cover one of the store's tables.
    private let serves: @Sendable (Table) -> Bool
    /// State that outlives these rules.
    private let memory: OperationsRuntimeState
    /// Where the code of hooks and handlers runs.
    public var handlerThreads: HandlerThreads { memory.handlerThreads }
    /// Who was told that a change was done, by receipt.
    var acknowledgedChanges: AcknowledgedChanges { memory.acknowledgedChanges }

    /// - Parameters:
    ///   - access: each table's access rules; a table without an entry is open to everyone.
    ///   - behaviours: what each table does beyond storing rows; a table without an entry only stores them.
    ///   - notices: is notified of writes.
    ///   - hooks: what a program does around the writes.
    ///   - scripts: the scripts around operations on tables.
    ///   - report: receives errors that come too late to fail anything.
    ///   - clock: decides which rows have expired.
    ///   - serves: tells the tables that these rules cover from those that the store has by other rules.
    ///   - memory: state that outlives these rules.
    public init(
        store: any TableStore, access: [Identifier: AccessRules], behaviours: [Identifier: TableBehaviour] = [:],
        notices: (any WriteNotices)? = nil, hooks: [Identifier: TableHooks] = [:],
        scripts: (any TableScripts)? = nil, report: @escaping @Sendable (String) -> Void = { _ in },
        clock: @escaping Clock = SystemClock.now,
        serves: @escaping @Sendable (Table) -> Bool = { _ in true },
        memory: OperationsRuntimeState = OperationsRuntimeState()
    ) {
        self.serves = serves
        self.memory = memory
        self.store = store
        self.access = access
        // Most tables have none, and looking them up takes time.
        self.behaviours = behaviours.filter { $0.value != TableBehaviour() }
        self.notices = notices
        self.hooks = hooks
        self.scripts = scripts
        self.report = report
        self.clock = clock
    }

    /// The same operations for use by hooks, without hooks, so that no hook triggers itself.
    var withoutHooks: TableOperations {
        TableOperations(
            store: store, access: access, behaviours: behaviours, notices: notices, report: report, clock: clock,
            serves: serves, memory: memory)
    }

    /// Returns a table covered by these rules, by its name in any case. A table that the store gained by newer rules is
    /// excluded: without an entry here it would be open to everyone.
    public func table(named name: String) -> Table? {
        guard let table = Identifier(name).flatMap({ store.table(named: $0) }), serves(table) else { return nil }
        return table
    }

    /// Creates a table that a client's first insert asks for; leaves an existing one as it is.
    /// - Throws: `definition` if the name isn't a valid table name, or belongs to a table that these rules don't cover.
    public func makeTable(_ definition: TableDefinition) async throws(TableError) -> Table {
        let table = try await store.createTable(definition)
        guard serves(table) else { throw .definition("the table \(definition.name) has come by newer settings") }
        return table
    }

    /// Returns the database's key for sealing places in lists.
    public func continuationKey() async throws(TableError) -> [UInt8] { try await store.continuationKey() }

    /// Stores a query for the links that refer to it.
    public func keep(_ query: StoredQuery) async throws(TableError) -> Bool { try await store.keep(query) }

    /// Returns the text of a stored query.
    public func keptQuery(_ reference: String) async throws(TableError) -> String? {
        try await store.keptQuery(reference)
    }

    /// Returns all tables covered by these rules.
    public func tables() -> [Table] { store.tables().filter(serves) }

    /// Returns what a table does beyond storing rows.
    public func behaviour(of table: Table) -> TableBehaviour {
        behaviours[table.name] ?? TableBehaviour()
    }

    /// Decides whether a caller may do an operation at all. A table with rows per user requires a user, whatever its
    /// access says; only the master key opens it without one.
    public func decision(on operation: Operation, of table: Table, for principal: Principal) -> AccessDecision {
        let decision = access[table.name]?.decision(on: operation, for: principal) ?? .allowed
        guard decision == .allowed, let behaviour = behaviours[table.name] else { return decision }
        return behaviour.decisionByOwner(for: principal)
    }

    /// Returns the part of a caller's visible scope that doesn't change with time, for sealing places in lists.
    public func lastingScope(of admitted: AdmittedTable<Reading>) -> RowScope? {
        behaviours[admitted.table.name]?.lastingScope(for: admitted.caller)
    }

    /// Returns the rows that a caller may see at this moment; nil for all.
    func visibleScope(of table: Table, for caller: Principal) -> RowScope? {
        behaviours[table.name]?.visibleScope(for: caller, at: clock())
    }

    /// Returns the rows that a caller may see at this moment, and which of them they may write; nil for all.
    func scope(of table: Table, for caller: Principal) -> RowScope? {
        behaviours[table.name]?.scope(for: caller, at: clock())
    }
}

/// State of the operations that survives a change of rules.
public final class OperationsRuntimeState: Sendable {
    let handlerThreads = HandlerThreads()
    let acknowledgedChanges = AcknowledgedChanges()

    /// Creates empty state.
    public init() {}
}
