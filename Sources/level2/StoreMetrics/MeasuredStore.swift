public import Tables

/// A store that reports on itself.
public protocol MeasuredStore: Sendable {
    /// The amount of waiting and running work; returned immediately, without asking the database.
    var load: StoreLoad { get }

    /// Returns the number of rows of each served table: counted if that is quick, otherwise estimated. May take a
    /// while, but doesn't delay clients.
    func rowCounts() async throws(TableError) -> [Identifier: RowCount]

    /// How often rows may be counted without a noticeable load.
    var countInterval: Duration { get }
}

/// The amount of waiting and running work in a store at a moment.
public struct StoreLoad: Sendable {
    /// The work waiting for a thread, by queue.
    public var waiting: [StoreInstrumentation.Queue: Int] = [:]
    /// The number of running lists.
    public var runningLists = 0
    /// The connections to the database by state; empty if there are none.
    public var connections: [(state: String, count: Int)] = []
    /// The maximum number of connections.
    public var connectionLimit: Int?
    /// The number of callers waiting for a connection.
    public var connectionWaiters: Int?
    /// The number of failed connection attempts since the start.
    public var failedConnections: Int?

    /// Creates an empty load.
    public init() {}
}

/// The number of rows in a table.
public struct RowCount: Sendable, Equatable {
    /// All rows, including tombstones.
    public var rows: Int64
    /// The tombstones among them; nil if unknown.
    public var tombstones: Int64?

    /// Creates a count.
    public init(rows: Int64, tombstones: Int64?) {
        self.rows = rows
        self.tombstones = tombstones
    }
}
