public import Access
public import TableOperations
public import Tables
public import ZumoProtocol

/// The configuration of the table API as a whole.
public struct TableSettings: Sendable {
    /// The generations that are supported.
    public var generations = Generations()
    /// The tables of each generation.
    var tables: [any TableGeneration] = [AppsTables(), DatasyncTables(), ServicesTables()]
    /// Whether the first insert into an unknown table creates it.
    public var autoCreateTables = false
    /// The clock by which rows expire.
    public var clock: Clock = SystemClock.now
    /// The base of links and locations, without a trailing slash; nil to take it from each request.
    public var publicURL: String?
    /// The proxies whose statements about the address are trusted.
    public var proxies = TrustedProxies.loopback
    /// How long a write is recognized if a client repeats it because the answer got lost; zero to disable this.
    public var repeatWindow: Duration = .seconds(600)
    /// How queries compare text.
    public var textComparison: TextComparison = .ignoringCase
    /// The columns that each table's definition names; v3 clients leave out their default values. A table without an
    /// entry has declared all its columns, unless its schema is dynamic.
    public var declaredColumns: [Identifier: Set<Identifier>] = [:]
    /// The size limits of lists.
    public var answers = ResponseSizeLimit()
    /// The rules of tables created by clients.
    public var clientTableRules = TableRules()

    /// Identifies callers, and limits how often each may send requests.
    public var callers: Callers
    /// The access rules of each table; a table without an entry has none.
    public var access: [Identifier: AccessRules] = [:]
    /// The behaviour of each table beyond storing rows; a table without an entry only stores them.
    public var behaviours: [Identifier: TableBehaviour] = [:]
    /// Is notified of writes; nil if nothing needs that.
    public var notices: (any WriteNotices)?
    /// A program's code around the writes of tables.
    public var hooks: [Identifier: TableHooks] = [:]
    /// The scripts of tables; nil if there are none.
    public var scripts: (any TableScripts)?
    /// Whether these settings apply to a table, as the store may have others too.
    public var serves: @Sendable (Table) -> Bool = { _ in true }
    /// State that outlives these settings.
    public var memory = OperationsRuntimeState()
    /// Called when a hook failed after a write.
    public var reportHookFailure: @Sendable (String) -> Void = { _ in }

    /// Creates the defaults of the sample configuration.
    public init(authenticator: Authenticator, keyAttempts: KeyAttempts = KeyAttempts()) {
        callers = Callers(authenticator, keyAttempts: keyAttempts)
    }

    /// Returns the tables of a generation; nil if it has none.
    func tables(in generation: Generation) -> (any TableGeneration)? {
        tables.first { $0.generation == generation }
    }
}
