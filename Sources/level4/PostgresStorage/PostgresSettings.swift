public import StoreMetrics

/// How a store uses its database server.
public struct PostgresSettings: Sendable {
    /// The number of connections for reading. Each is made when none is idle.
    public var readingConnections = 8
    /// The number of connections for writing, each to one table at a time.
    public var writingConnections = 4
    /// How long a call waits for a connection before it fails as unavailable.
    public var patience: Duration = .seconds(5)
    /// How long opening waits for the database to be prepared before it continues in the background; nil for as long as
    /// it takes.
    public var startPatience: Duration? = .seconds(10)
    /// How long a statement may run on the server.
    public var statementTimeout: Duration = .seconds(5)
    /// How long a writer waits for a lock before it lets the writes of other tables run.
    public var lockPatience: Duration = .milliseconds(400)
    /// How long the server keeps a transaction whose client is silent; zero for no limit.
    public var silence: Duration = .seconds(4)
    /// Off for a pooler that gives each transaction another connection (pgbouncer in transaction mode): statements then
    /// don't stay prepared, and settings are applied in each transaction.
    public var keepsSessions = true
    /// How often the store looks for tables and columns created by other servers, and reports that this one is alive.
    public var schemaInterval: Duration = .seconds(1)
    /// Measures the store's work.
    public var watch = StoreInstrumentation()
    /// Called with anything that operators should know.
    public var report: @Sendable (PostgresNote) -> Void = { _ in }
    /// Identifies the database sessions of this store.
    var server = ServerNumber()
    /// What is known about the database's clock.
    var databaseClock = DatabaseClock()
    /// Makes the store's commits durable.
    var commits = DurableCommits()

    /// Creates the default settings.
    public init() {}
}

/// A message of a store to operators.
public enum PostgresNote: Sendable, Equatable {
    /// Something that needs attention.
    case warning(String)
    /// A problem is over.
    case notice(String)
}

extension Duration {
    /// The whole milliseconds, rounded down.
    var milliseconds: Int64 {
        components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
    }
}
