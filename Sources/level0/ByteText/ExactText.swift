/// A text compared, hashed and ordered by its bytes in UTF-8, as in a database.
///
/// `String` equality is canonical: `é` may be one or two characters, `K` a letter or the kelvin sign. Anything keyed by
/// a user's text (names, ids, keys) uses this as its key.
public struct ExactText: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The text as a string.
    public let text: String

    /// Wraps a text.
    public init(_ text: String) {
        self.text = text
    }

    /// The text itself.
    public var description: String { text }

    /// Compares byte by byte.
    public static func == (left: ExactText, right: ExactText) -> Bool {
        left.text.isExactly(right.text)
    }

    /// Compares bytes, which orders by code point.
    public static func < (left: ExactText, right: ExactText) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) {
        text.hashExactly(into: &hasher)
    }
}

extension String {
    /// Returns whether two texts are equal byte by byte, as a database compares keys.
    public func isExactly(_ other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        let isSame = unsafe utf8.withContiguousStorageIfAvailable { own in
            unsafe other.utf8.withContiguousStorageIfAvailable { unsafe own.elementsEqual($0) }
        }
        return (isSame ?? nil) ?? utf8.elementsEqual(other.utf8)
    }

    /// Hashes the bytes, consistently with `isExactly`.
    public func hashExactly(into hasher: inout Hasher) {
        var text = self
        text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        // Terminates the text, so that it isn't confused with what is hashed next.
        hasher.combine(UInt8(0xFF))
    }
}

extension Optional<String> {
    /// Returns whether both are nil, or equal byte by byte.
    public func isExactly(_ other: String?) -> Bool {
        switch (self, other) {
        case (let text?, let other?): text.isExactly(other)
        case (nil, nil): true
        default: false
        }
    }
}

extension StringProtocol {
    /// Returns whether a text begins with another, byte by byte, even if a combining mark that belongs to its last
    /// character follows.
    public func beginsExactly(_ start: some StringProtocol) -> Bool {
        utf8.starts(with: start.utf8)
    }

    /// Returns whether a text ends with another, byte by byte.
    public func endsExactly(_ end: some StringProtocol) -> Bool {
        utf8.count >= end.utf8.count && utf8.suffix(end.utf8.count).elementsEqual(end.utf8)
    }
}
