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

    func write(to json: inout JSONWriter) {
        let sentValue = try? JSONReader.parse(sent)
        let currentValue = try? JSONReader.parse(current)
        json.value(
            .object([
                JSONMember("number", .integer(Int64(number))), JSONMember("at", .string(at.wireText)),
                JSONMember("table", .string(table)), JSONMember("id", id(sentValue, currentValue)),
                JSONMember("status", .integer(Int64(status))),
                JSONMember("installation", installation.map { .string($0) } ?? .null),
                JSONMember("sent", sentValue ?? .null), JSONMember("current", currentValue ?? .null),
            ]))
    }
}
