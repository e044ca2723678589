import ByteText
public import Scalars

/// An installation of an app, with what it did last with each table.
public struct Device: Sendable, Equatable {
    /// As the app says it in `X-ZUMO-INSTALLATION-ID`.
    public let installation: String
    /// What was seen of it, newest first; one at least.
    public let tables: [DeviceSighting]

    /// When it was last answered.
    public var lastSeen: Instant { tables[0].seenAt }
    /// What it said last of its client library.
    public var sdk: String? { tables.lazy.compactMap(\.sdk).first }
    /// The generation that it spoke last.
    public var generation: String { tables[0].generation }
    /// The user whose token it sent last.
    public var user: String? { tables.lazy.compactMap(\.user).first }
    /// How many of its writes met a newer row.
    public var conflicts: Int64 { tables.reduce(0) { $0 + $1.conflicts } }

    /// Puts sightings together by their installation, each list newest first.
    public static func all(of sightings: [DeviceSighting]) -> [Device] {
        let ordered = sightings.sorted {
            ($1.seenAt, $0.key.installation, $0.key.table.text) < ($0.seenAt, $1.key.installation, $1.key.table.text)
        }
        var tables: [ExactText: [DeviceSighting]] = [:]
        var order: [ExactText] = []
        for sighting in ordered {
            let name = ExactText(sighting.key.installation)
            if tables[name] == nil { order.append(name) }
            tables[name, default: []].append(sighting)
        }
        return order.compactMap { name in tables[name].map { Device(installation: name.text, tables: $0) } }
    }
}
