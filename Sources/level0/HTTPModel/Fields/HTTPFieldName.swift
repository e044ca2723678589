/// The name of a header field that is only known at run time: a token (RFC 9110 section 5.6.2).
public struct HTTPFieldName: Sendable, ExpressibleByStringLiteral {
    /// The name as sent.
    public let text: String

    /// - Returns: nil if the text isn't a token, which would break the head of a message.
    public init?(_ text: String) {
        guard !text.isEmpty, text.utf8.allSatisfy(Self.isTokenByte) else { return nil }
        self.text = text
    }

    /// Creates a name from a literal. One that isn't a token is a programming error and traps.
    public init(stringLiteral text: String) {
        precondition(!text.isEmpty && text.utf8.allSatisfy(Self.isTokenByte), "'\(text)' can't name a header field")
        self.text = text
    }

    /// Whether only the server itself may write the field (RFC 9112 section 6).
    public var framesMessages: Bool {
        ["content-length", "transfer-encoding", "connection", "date"].contains(text.lowercased())
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 48...57, 65...90, 97...122: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
