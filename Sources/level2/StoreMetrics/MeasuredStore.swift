public import Tables

/// A store that reports on itself.
public protocol MeasuredStore: Sendable {
    /// How much is waiting and running now; returned at once, without asking the database.
    var load: StoreLoad { get }

    /// How many rows the served tables contain: counted if that is quick, otherwise estimated. Takes its time, but
    /// never that of clients.
    func rowCounts() async throws(TableError) -> [Identifier: RowCount]

    /// How often that may be asked without being felt.
    var countInterval: Duration { get }
}

/// How much waits and works in a store at a moment.
public struct StoreLoad: Sendable {
    /// What waits for a thread, by queue.
    public var waiting: [StoreInstrumentation.Queue: Int] = [:]
    /// Lists that run.
    public var runningLists = 0
    /// The connections to the database by what they do; empty if there are none.
    public var connections: [(state: String, count: Int)] = []
    /// The most connections there may be.
    public var connectionLimit: Int?
    /// How many callers wait for a connection.
    public var connectionWaiters: Int?
    /// Attempts to connect that failed since the start.
    public var failedConnections: Int?

    /// Nothing.
    public init() {}
}

/// How many rows a table holds.
public struct RowCount: Sendable, Equatable {
    /// Rows, tombstones included.
    public var rows: Int64
    /// The tombstones among them; nil if that is not known.
    public var tombstones: Int64?

    /// Makes a count.
    public init(rows: Int64, tombstones: Int64?) {
        self.rows = rows
        self.tombstones = tombstones
    }
}
