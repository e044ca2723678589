import JSONText
import Scalars
import Tables

/// What installations were seen to do, as the page's script reads it.
enum DevicePages {
    /// The maximum number of installations that are listed.
    static let most = 1_000
    /// The maximum number of rows that a device is reported to be behind.
    static let mostBehind = 1_000

    static func json(of store: (any DeviceStore)?, _ tables: [PageTable]) async throws(TableError) -> [UInt8] {
        let devices = try await store?.devices(limit: most) ?? []
        let byName = Dictionary(tables.map { ($0.table.name, $0.table) }, uniquingKeysWith: { first, _ in first })
        // All at once, so that many devices take one look at the database.
        var keys: [DeviceSighting.Key] = []
        var places: [TableProgress] = []
        for sighting in devices.flatMap(\.tables) {
            guard let table = byName[sighting.key.table], let stamp = sighting.pull?.stamp else { continue }
            keys.append(sighting.key)
            places.append(TableProgress(table, stamp))
        }
        let counts = try await store?.countChanges(since: places, limit: mostBehind) ?? []
        let behind = Dictionary(zip(keys, counts), uniquingKeysWith: { first, _ in first })
        var json = JSONWriter(capacity: 4_096)
        json.raw("{\"devices\":")
        json.value(.array(devices.map { value(of: $0, behind) }))
        json.raw(",\"keptDays\":")
        json.integer(DeviceLimits.age.components.seconds / 86_400)
        json.raw(",\"isRecorded\":")
        json.boolean(store != nil)
        json.raw("}")
        return json.bytes
    }

    private static func value(of device: Device, _ behind: [DeviceSighting.Key: Int]) -> JSONValue {
        .object([
            JSONMember("installation", .string(device.installation)),
            JSONMember("lastSeen", .string(device.lastSeen.wireText)), JSONMember("sdk", text(device.sdk)),
            JSONMember("generation", .string(device.generation)), JSONMember("user", text(device.user)),
            JSONMember("conflicts", .integer(device.conflicts)),
            JSONMember(
                "tables",
                .array(
                    device.tables.map { sighting in
                        .object([
                            JSONMember("table", .string(sighting.key.table.text)),
                            JSONMember("lastPull", text(sighting.pull?.at.wireText)),
                            JSONMember("stamp", text(sighting.pull?.stamp?.wireText)),
                            JSONMember("rows", sighting.pull.map { .integer($0.rows) } ?? .null),
                            JSONMember("behind", behind[sighting.key].map { .integer(Int64($0)) } ?? .null),
                            JSONMember("lastPush", text(sighting.pushedAt?.wireText)),
                            JSONMember("conflicts", .integer(sighting.conflicts)),
                        ])
                    })),
        ])
    }

    private static func text(_ text: String?) -> JSONValue {
        text.map { .string($0) } ?? .null
    }
}
