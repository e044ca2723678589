public import Access
public import Tables

/// What callers do with rows: the one way from every protocol generation to the store.
///
/// Who may do it is decided here, and here the behaviours of a table that its definition sets take effect, so that they
/// are the same for the clients of every generation. A write is a value, a `TableWrite`, that passes these steps in this order,
/// each of which may change it, answer it or refuse it: access, the table's scripts, the program's hooks, the columns that need
/// a value, the row's owner, the store, the notice to those who learn of writes, the hooks that hear of it, and the conflict
/// policy.
public final class TableOperations: Sendable {
    let store: any TableStore
    let notices: (any WriteNotices)?
    private let access: [Identifier: AccessRules]
    let behaviours: [Identifier: TableBehaviour]
    let clock: Clock
    /// What a program does around the writes.
    let hooks: [Identifier: TableHooks]
    /// The scripts of tables; nil where there are none.
    let scripts: (any TableScripts)?
    /// Where the errors of hooks go that fail nothing.
    let report: @Sendable (String) -> Void
    /// Which of the store's tables these rules are about.
    private let serves: @Sendable (Table) -> Bool
    /// What outlives these rules.
    private let memory: OperationsRuntimeState
    /// Where the code of hooks and handlers runs.
    public var handlerThreads: HandlerThreads { memory.handlerThreads }
    /// Who was told that a change was done.
    var givenAnswers: AcknowledgedChanges { memory.givenAnswers }

    /// - Parameters:
    ///   - access: what each table asks of its callers; a table that is not here asks nothing.
    ///   - behaviours: what each table does beyond storing rows; a table that is not here only stores them.
    ///   - notices: learns of writes.
    ///   - hooks: what a program does around the writes.
    ///   - scripts: what stands around operations on tables.
    ///   - report: is told of errors that come too late to fail anything.
    ///   - clock: tells which rows have expired.
    ///   - serves: tells the tables that these rules know from those that the store has by other rules.
    ///   - memory: what outlives these rules.
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
        // Most tables have none, and to look them up takes time.
        self.behaviours = behaviours.filter { $0.value != TableBehaviour() }
        self.notices = notices
        self.hooks = hooks
        self.scripts = scripts
        self.report = report
        self.clock = clock
    }

    /// The same operations as hooks do them, so that none begets itself.
    var withoutHooks: TableOperations {
        TableOperations(
            store: store, access: access, behaviours: behaviours, notices: notices, report: report, clock: clock,
            serves: serves, memory: memory)
    }

    /// A table that is served by these rules, by its name in any case. One that the store has got by newer rules is none of
    /// them: what these say nothing of would be open to everybody.
    public func table(named name: String) -> Table? {
        guard let table = Identifier(name).flatMap({ store.table(named: $0) }), serves(table) else { return nil }
        return table
    }

    /// Makes a table that a client's first insert asks for; one that is there already is left as it is.
    /// - Throws: `definition` where the name can't be a table's, or is that of a table which these rules say nothing of.
    public func makeTable(_ definition: TableDefinition) async throws(TableError) -> Table {
        let table = try await store.createTable(definition)
        guard serves(table) else { throw .definition("the table \(definition.name) has come by newer settings") }
        return table
    }

    /// The database's key, with which places in lists are sealed.
    public func continuationKey() async throws(TableError) -> [UInt8] { try await store.continuationKey() }

    /// Keeps a query for the links that refer to it.
    public func keep(_ query: StoredQuery) async throws(TableError) -> Bool { try await store.keep(query) }

    /// The text of a query that is kept.
    public func keptQuery(_ reference: String) async throws(TableError) -> String? {
        try await store.keptQuery(reference)
    }

    /// All tables that are served by these rules.
    public func tables() -> [Table] { store.tables().filter(serves) }

    /// What a table does beyond storing rows.
    public func behaviour(of table: Table) -> TableBehaviour {
        behaviours[table.name] ?? TableBehaviour()
    }

    /// Whether a caller may do an operation at all. A table with rows per user asks for a user, whatever its access
    /// says; only the master key opens it without one.
    public func decision(on operation: Operation, of table: Table, for principal: Principal) -> AccessDecision {
        let decision = access[table.name]?.decision(on: operation, for: principal) ?? .allowed
        guard decision == .allowed, let behaviour = behaviours[table.name] else { return decision }
        return behaviour.decisionByOwner(for: principal)
    }

    /// The part of what a caller may see that stays the same as time goes by: what a place in a list is sealed with.
    public func lastingScope(of admitted: AdmittedTable<Reading>) -> RowScope? {
        behaviours[admitted.table.name]?.lastingScope(for: admitted.caller)
    }

    /// The rows that a caller may see at this moment; nil for all.
    func visibleScope(of table: Table, for caller: Principal) -> RowScope? {
        behaviours[table.name]?.visibleScope(for: caller, at: clock())
    }

    /// The rows that a caller may see at this moment, and which of them they may write; nil for all.
    func scope(of table: Table, for caller: Principal) -> RowScope? {
        behaviours[table.name]?.scope(for: caller, at: clock())
    }
}
