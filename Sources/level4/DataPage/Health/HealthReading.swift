import JSONText
import Tables

/// The server's counters at one moment; the page shows what they did between two.
public struct HealthReading: Sendable {
    /// Seconds since the server started.
    public var uptime = 0.0
    /// How many requests were answered, by the first digit of the status.
    public var requests: [Int: Double] = [:]
    /// How many requests took so long at most, in seconds; the last bound is infinite.
    public var latency: [(bound: Double, count: Double)] = []
    /// Transactions of writes.
    public var commits: Double?
    /// Connections of clients that are open.
    public var connections: Double?
    /// Connections to the database: all, those in use, and how many callers wait for one; nil if the store has no pool.
    public var pool: (size: Double, busy: Double, waiting: Double)?
    /// How far a stamp is ahead of the clock at most, in seconds.
    public var drift: Double?
    /// Memory that the process has in use, in bytes.
    public var residentBytes: Double?
    /// Why the store can't be used; nil if it can.
    public var outage: String?

    /// Nothing read yet.
    public init() {}

    func json(at time: String) -> JSONValue {
        [
            "at": .string(time), "uptimeSeconds": .number(uptime),
            "requests": .object((2...5).map { JSONMember("\($0)xx", .number(requests[$0] ?? 0)) }),
            "latency": .array(latency.map { ["le": .number($0.bound * 1_000), "count": .number($0.count)] }),
            "commits": JSONValue(commits), "connections": JSONValue(connections),
            "pool": pool.map {
                ["size": .number($0.size), "busy": .number($0.busy), "waiting": .number($0.waiting)]
            } ?? .null,
            "driftSeconds": JSONValue(drift), "residentBytes": JSONValue(residentBytes),
            "store": .string(outage ?? "ready"),
        ]
    }
}
