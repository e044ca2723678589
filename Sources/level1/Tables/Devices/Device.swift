import ByteText
public import Scalars

/// An installation of an app, with its last activity in each table.
public struct Device: Sendable, Equatable {
    /// The installation's id, from `X-ZUMO-INSTALLATION-ID`.
    public let installation: String
    /// Its sightings, newest first; never empty.
    public let tables: [DeviceSighting]

    /// When it was last answered.
    public var lastSeen: Instant { tables[0].seenAt }
    /// The client library that it last reported.
    public var sdk: String? { tables.lazy.compactMap(\.sdk).first }
    /// The generation that it last used.
    public var generation: String { tables[0].generation }
    /// The user whose token it last sent.
    public var user: String? { tables.lazy.compactMap(\.user).first }
    /// The number of its writes that conflicted with a newer row.
    public var conflicts: Int64 { tables.reduce(0) { $0 + $1.conflicts } }

    /// Groups sightings by installation, with each list newest first.
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
