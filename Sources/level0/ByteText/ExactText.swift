/// A text that equals only itself: equal, hashed and ordered by its bytes in UTF-8, as in a database.
///
/// A `String` equals every other that looks the same: `é` is one character or two, `K` a letter or the kelvin sign.
/// Whatever is distinguished by a user's text (names, ids, keys) uses this as its key.
public struct ExactText: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The text as a string.
    public let text: String

    /// Wraps a text.
    public init(_ text: String) {
        self.text = text
    }

    /// The text.
    public var description: String { text }

    /// Equal byte by byte.
    public static func == (left: ExactText, right: ExactText) -> Bool {
        left.text.isExactly(right.text)
    }

    /// By the bytes, which is by the code points.
    public static func < (left: ExactText, right: ExactText) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) {
        text.hashExactly(into: &hasher)
    }
}

extension String {
    /// Whether two texts are the same byte by byte, as a database compares keys.
    public func isExactly(_ other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        let isSame = unsafe utf8.withContiguousStorageIfAvailable { own in
            unsafe other.utf8.withContiguousStorageIfAvailable { unsafe own.elementsEqual($0) }
        }
        return (isSame ?? nil) ?? utf8.elementsEqual(other.utf8)
    }

    /// Hashes the bytes, so that texts that are not exactly the same may differ.
    public func hashExactly(into hasher: inout Hasher) {
        var text = self
        text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        // Ends the text, as what is hashed behind it is not to be taken for a part of it.
        hasher.combine(UInt8(0xFF))
    }
}

extension Optional<String> {
    /// Whether both are nothing, or the same text byte by byte.
    public func isExactly(_ other: String?) -> Bool {
        switch (self, other) {
        case (let text?, let other?): text.isExactly(other)
        case (nil, nil): true
        default: false
        }
    }
}

extension StringProtocol {
    /// Whether a text begins with another byte by byte, even if a combining mark follows that belongs to its last
    /// character.
    public func beginsExactly(_ start: some StringProtocol) -> Bool {
        utf8.starts(with: start.utf8)
    }

    /// Whether a text ends with another byte by byte.
    public func endsExactly(_ end: some StringProtocol) -> Bool {
        utf8.count >= end.utf8.count && utf8.suffix(end.utf8.count).elementsEqual(end.utf8)
    }
}
