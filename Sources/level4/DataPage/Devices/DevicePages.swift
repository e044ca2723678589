import JSONText
import Scalars
import Tables

/// The observed activity of installations, as the page's script reads it.
enum DevicePages {
    /// The maximum number of listed installations.
    static let most = 1_000
    /// The maximum number of rows by which a device is reported to be behind.
    static let mostBehind = 1_000

    static func json(of store: (any DeviceStore)?, _ tables: [PageTable]) async throws(TableError) -> JSONValue {
        let devices = try await store?.devices(limit: most) ?? []
        let byName = Dictionary(tables.map { ($0.table.name, $0.table) }, uniquingKeysWith: { first, _ in first })
        // All at once, so that many devices need only one database query.
        var keys: [DeviceSighting.Key] = []
        var places: [TableProgress] = []
        for sighting in devices.flatMap(\.tables) {
            guard let table = byName[sighting.key.table], let stamp = sighting.pull?.stamp else { continue }
            keys.append(sighting.key)
            places.append(TableProgress(table, stamp))
        }
        let counts = try await store?.countChanges(since: places, limit: mostBehind) ?? []
        let behind = Dictionary(zip(keys, counts), uniquingKeysWith: { first, _ in first })
        return [
            "devices": .array(devices.map { value(of: $0, behind) }),
            "keptDays": .integer(DeviceLimits.age.components.seconds / 86_400), "isRecorded": .boolean(store != nil),
        ]
    }

    private static func value(of device: Device, _ behind: [DeviceSighting.Key: Int]) -> JSONValue {
        [
            "installation": .string(device.installation), "lastSeen": .string(device.lastSeen.wireText),
            "sdk": JSONValue(device.sdk), "generation": .string(device.generation), "user": JSONValue(device.user),
            "conflicts": .integer(device.conflicts),
            "tables": .array(
                device.tables.map { sighting in
                    [
                        "table": .string(sighting.key.table.text), "lastPull": JSONValue(sighting.pull?.at.wireText),
                        "stamp": JSONValue(sighting.pull?.stamp?.wireText), "rows": JSONValue(sighting.pull?.rows),
                        "behind": JSONValue(behind[sighting.key]), "lastPush": JSONValue(sighting.pushedAt?.wireText),
                        "conflicts": .integer(sighting.conflicts),
                    ]
                }),
        ]
    }
}
