/// The name of a header field that is not known when the server is built: a token (RFC 9110 section 5.6.2).
public struct HTTPFieldName: Sendable, ExpressibleByStringLiteral {
    /// The name as it goes over the wire.
    public let text: String

    /// - Returns: nil if the text is not a token, which would break the head of a message.
    public init?(_ text: String) {
        guard !text.isEmpty, text.utf8.allSatisfy(Self.isTokenByte) else { return nil }
        self.text = text
    }

    /// A name written in code. One that is no token is a mistake of the code and ends the program.
    public init(stringLiteral text: String) {
        precondition(!text.isEmpty && text.utf8.allSatisfy(Self.isTokenByte), "'\(text)' can't name a header field")
        self.text = text
    }

    /// Whether the server writes the field itself, so that nobody else may (RFC 9112 section 6).
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
