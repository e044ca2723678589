import JSONText
import Scalars

/// A write that conflicted with another one, with the row that was sent and the one that was there.
struct RecordedConflict: Sendable {
    let number: Int
    let at: Instant
    let table: String
    let status: Int
    /// The client's installation; nil if it isn't known.
    let installation: String?
    /// The path of the request.
    let path: String
    /// The bodies as JSON; empty if they were too long to keep.
    let sent: [UInt8]
    let current: [UInt8]

    /// Returns the row's id, from the path or from the row that was sent.
    private func id(_ sent: JSONValue?, _ current: JSONValue?) -> JSONValue {
        let parts = path.split(separator: "/")
        if parts.count > 2 { return .string(String(parts[2])) }
        return sent?["id"] ?? current?["id"] ?? .null
    }

    var json: JSONValue {
        let sentValue = try? JSONReader.parse(sent)
        let currentValue = try? JSONReader.parse(current)
        return [
            "number": JSONValue(number), "at": .string(at.wireText), "table": .string(table),
            "id": id(sentValue, currentValue), "status": JSONValue(status), "installation": JSONValue(installation),
            "sent": sentValue ?? .null, "current": currentValue ?? .null,
        ]
    }
}
