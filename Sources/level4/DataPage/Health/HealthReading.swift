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

    func json(at time: String) -> [UInt8] {
        var json = JSONWriter(capacity: 1_024)
        json.raw("{\"at\":")
        json.string(time)
        json.raw(",\"uptimeSeconds\":")
        json.number(uptime)
        json.raw(",\"requests\":{")
        for (index, digit) in (2...5).enumerated() {
            if index > 0 { json.raw(",") }
            json.string("\(digit)xx")
            json.raw(":")
            json.number(requests[digit] ?? 0)
        }
        json.raw("},\"latency\":[")
        for (index, bucket) in latency.enumerated() {
            json.raw(index > 0 ? ",{\"le\":" : "{\"le\":")
            number(bucket.bound.isFinite ? bucket.bound * 1_000 : nil, to: &json)
            json.raw(",\"count\":")
            json.number(bucket.count)
            json.raw("}")
        }
        json.raw("],\"commits\":")
        number(commits, to: &json)
        json.raw(",\"connections\":")
        number(connections, to: &json)
        json.raw(",\"pool\":")
        if let pool {
            json.raw("{\"size\":")
            json.number(pool.size)
            json.raw(",\"busy\":")
            json.number(pool.busy)
            json.raw(",\"waiting\":")
            json.number(pool.waiting)
            json.raw("}")
        } else {
            json.raw("null")
        }
        json.raw(",\"driftSeconds\":")
        number(drift, to: &json)
        json.raw(",\"residentBytes\":")
        number(residentBytes, to: &json)
        json.raw(",\"store\":")
        json.string(outage ?? "ready")
        json.raw("}")
        return json.bytes
    }

    private func number(_ value: Double?, to json: inout JSONWriter) {
        if let value, value.isFinite { json.number(value) } else { json.raw("null") }
    }
}
