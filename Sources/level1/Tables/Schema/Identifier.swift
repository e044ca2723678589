/// The name of a table or column: a letter or `_`, then letters, digits and `_`, at most 128 in all (ASCII only).
///
/// Names are equal regardless of case and keep their first spelling, as on the Azure servers.
public struct Identifier: Sendable, Hashable, CustomStringConvertible {
    /// The maximum length in characters.
    public static let maximumLength = 128

    /// The name in its first spelling.
    public let text: String
    private let folded: String

    /// - Returns: nil if the text isn't a valid name.
    public init?(_ text: some StringProtocol) {
        self.init(String(text))
    }

    /// The same for a `String`, which the table name of every request is.
    public init?(_ text: String) {
        let bytes = text.utf8
        guard let first = bytes.first, bytes.count <= Self.maximumLength, Self.isLetter(first),
            bytes.allSatisfy({ Self.isLetter($0) || (48...57).contains($0) })
        else { return nil }
        self.text = text
        self.folded = text.lowercased()
    }

    /// Compares case-insensitively.
    public static func == (left: Identifier, right: Identifier) -> Bool {
        left.folded == right.folded
    }

    /// Hashes case-insensitively.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(folded)
    }

    /// The name in its first spelling.
    public var description: String { text }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (65...90).contains(byte) || (97...122).contains(byte) || byte == UInt8(ascii: "_")
    }
}
