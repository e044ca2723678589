import JSONText
import Tables

/// The server's counters at one moment; the page shows the difference between two readings.
public struct HealthReading: Sendable {
    /// Seconds since the server started.
    public var uptime = 0.0
    /// The number of requests answered, by the first digit of the status.
    public var requests: [Int: Double] = [:]
    /// The number of requests by upper bound of their duration in seconds; the last bound is infinite.
    public var latency: [(bound: Double, count: Double)] = []
    /// The number of write transactions.
    public var commits: Double?
    /// The number of open client connections.
    public var connections: Double?
    /// Connections to the database: all, those in use, and the number of waiting callers; nil if the store has no pool.
    public var pool: (size: Double, busy: Double, waiting: Double)?
    /// The maximum by which a stamp is ahead of the clock, in seconds.
    public var drift: Double?
    /// The memory in use by the process, in bytes.
    public var residentBytes: Double?
    /// Why the store can't be used; nil if it can.
    public var outage: String?

    /// Creates an empty reading.
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
