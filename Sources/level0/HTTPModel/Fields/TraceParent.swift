/// A request's position in a distributed trace, by W3C Trace Context: accepted, logged and passed on unchanged, because
/// the server records no spans of its own.
public struct TraceParent: Sendable, Equatable {
    /// The field as received.
    public let text: String

    /// The `traceparent` of the request that the current task serves; nil if it has none.
    @TaskLocal public static var current: TraceParent?

    /// Parses the value of a `traceparent` field.
    /// - Returns: nil if it is invalid: a receiver should then behave as if the field were absent.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count >= 55, bytes.count <= Self.longest, bytes[2] == 45, bytes[35] == 45, bytes[52] == 45 else {
            return nil
        }
        let parts = [bytes[0..<2], bytes[3..<35], bytes[36..<52], bytes[53..<55]]
        guard parts.allSatisfy({ $0.allSatisfy(Self.isDigit) }), parts[0] != [102, 102],
            parts[1].contains(where: { $0 != 48 }), parts[2].contains(where: { $0 != 48 })
        else { return nil }
        // Version 00 ends here; later versions may continue after another hyphen.
        guard bytes.count == 55 || parts[0] != [48, 48] && bytes[55] == 45 else { return nil }
        guard bytes.allSatisfy({ (33...126).contains($0) }) else { return nil }
        self.text = text
    }

    /// The 32 digits shared by all requests of a trace.
    public var traceID: Substring { text.dropFirst(3).prefix(32) }

    private static let longest = 512

    private static func isDigit(_ byte: UInt8) -> Bool {
        (48...57).contains(byte) || (97...102).contains(byte)
    }
}
