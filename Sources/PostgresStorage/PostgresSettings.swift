/// How a store uses its database server.
public struct PostgresSettings: Sendable {
    /// Connections that read. Each is made when it is first needed.
    public var readingConnections = 8
    /// Connections that write. The writes of one table all take the same one, so that they share transactions.
    public var writingConnections = 4
    /// How long a call waits for a connection before it fails as unavailable.
    public var patience: Duration = .seconds(5)
    /// How long a statement may run on the server.
    public var statementTimeout: Duration = .seconds(5)
    /// Off for a pooler that gives each transaction another connection (pgbouncer in transaction mode): statements are
    /// then not kept prepared, and settings are made in each transaction.
    public var keepsSessions = true
    /// How often the database is asked for tables and columns that other servers made.
    public var schemaInterval: Duration = .seconds(1)

    /// The settings of a store that nothing was said about.
    public init() {}
}

extension Duration {
    /// The whole milliseconds, cut.
    var milliseconds: Int64 {
        components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
    }
}
