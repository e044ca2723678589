import JSONText
import Scalars

/// A write that met another one, with what was sent and what was there.
struct RecordedConflict: Sendable {
    let number: Int
    let at: Instant
    let table: String
    let status: Int
    /// The sender; nil if its client doesn't say.
    let installation: String?
    /// Of the request.
    let path: String
    /// Bodies in JSON; empty if they are too long to be kept.
    let sent: [UInt8]
    let current: [UInt8]

    /// The row's id: the path's, or the one that was sent.
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
