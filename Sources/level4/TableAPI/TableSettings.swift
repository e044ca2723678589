public import Access
public import TableOperations
public import Tables
public import ZumoProtocol

/// What the configuration says about the table API as a whole.
public struct TableSettings: Sendable {
    /// The generations that are spoken.
    public var generations = Generations()
    /// What tables do in each of them.
    var tables: [any TableGeneration] = [AppsTables(), DatasyncTables(), ServicesTables()]
    /// The first insert into an unknown table makes it.
    public var autoCreateTables = false
    /// What tells which rows have expired.
    public var clock: Clock = SystemClock.now
    /// The base of links and locations, without a slash at its end; nil to take it from each request.
    public var publicURL: String?
    /// The proxies whose word about the address counts.
    public var proxies = TrustedProxies.loopback
    /// How long a write is known again that a client repeats because its answer got lost; zero for not at all.
    public var repeatWindow: Duration = .seconds(600)
    /// How queries compare text.
    public var textComparison: TextComparison = .ignoringCase
    /// The columns that each table's definition names; v3 clients leave their default values out. A table that is not
    /// here has declared all its columns, unless its schema is dynamic.
    public var declaredColumns: [Identifier: Set<Identifier>] = [:]
    /// How much the page of a list may come to.
    public var answers = ResponseSizeLimit()
    /// The rules of tables that clients make.
    public var clientTableRules = TableRules()

    /// Who callers are, and how often each may ask.
    public var callers: Callers
    /// What each table asks of its callers; a table that is not here asks nothing.
    public var access: [Identifier: AccessRules] = [:]
    /// What each table does beyond storing rows; a table that is not here only stores them.
    public var behaviours: [Identifier: TableBehaviour] = [:]
    /// Learns of writes; nil where nobody asks.
    public var notices: (any WriteNotices)?
    /// What a program does around the writes of tables.
    public var hooks: [Identifier: TableHooks] = [:]
    /// The scripts of tables; nil where there are none.
    public var scripts: (any TableScripts)?
    /// Tells the tables that these settings are about from those that the store has by others.
    public var serves: @Sendable (Table) -> Bool = { _ in true }
    /// What outlives these settings.
    public var memory = OperationsRuntimeState()
    /// Is told of hooks that failed after a write.
    public var reportHookFailure: @Sendable (String) -> Void = { _ in }

    /// The defaults of the sample configuration.
    public init(authenticator: Authenticator, keyAttempts: KeyAttempts = KeyAttempts()) {
        callers = Callers(authenticator, keyAttempts: keyAttempts)
    }

    /// What tables do in a generation; nil in one that has none.
    func tables(in generation: Generation) -> (any TableGeneration)? {
        tables.first { $0.generation == generation }
    }
}
