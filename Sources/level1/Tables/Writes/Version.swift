/// The version of a row: a counter that grows with every write to the database; no value is ever reused.
///
/// Its wire form is the Base64 of eight bytes, most significant first, like SQL Server's rowversion.
public struct Version: Sendable, Hashable, Comparable {
    /// The counter's value, never negative.
    public let counter: Int64

    /// Creates a version from the counter.
    public init(counter: Int64) {
        self.counter = counter
    }

    /// Parses the wire form.
    /// - Returns: nil if the text can't be a version of this server; such a tag matches no row.
    public init?(wireText: some StringProtocol) {
        let characters = Array(wireText.utf8)
        guard characters.count == 12, characters[11] == UInt8(ascii: "=") else { return nil }
        var bits: UInt64 = 0
        for character in characters[..<10] {
            guard let value = Self.base64Value(character) else { return nil }
            bits = bits << 6 | value
        }
        // The eleventh character carries the last four bits and two zero bits.
        guard let last = Self.base64Value(characters[10]), last & 3 == 0, bits >> 59 == 0 else { return nil }
        self.counter = Int64(bits << 4 | last >> 2)
    }

    /// Orders earlier writes first.
    public static func < (left: Version, right: Version) -> Bool {
        left.counter < right.counter
    }

    /// The twelve characters of the wire form.
    public var wireBytes: InlineArray<12, UInt8> {
        let bits = UInt64(bitPattern: counter)
        var wire = InlineArray<12, UInt8>(repeating: UInt8(ascii: "="))
        for index in 0..<10 { wire[index] = Self.base64Character(bits &>> UInt64(58 &- 6 &* index) & 63) }
        wire[10] = Self.base64Character(bits &<< 2 & 63)
        return wire
    }

    /// Appends the wire form.
    public func append(to bytes: inout [UInt8]) {
        let wire = wireBytes
        unsafe wire.span.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
    }

    /// The wire form as text.
    public var wireText: String {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func base64Character(_ value: UInt64) -> UInt8 {
        base64Characters[Int(truncatingIfNeeded: value)]
    }

    private static let base64Characters: InlineArray<64, UInt8> = {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        return InlineArray { letters[$0] }
    }()

    private static func base64Value(_ character: UInt8) -> UInt64? {
        switch character {
        case 65...90: UInt64(character) - 65
        case 97...122: UInt64(character) - 71
        case 48...57: UInt64(character) + 4
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}

/// What a write requires of the current row.
public enum Precondition: Sendable, Hashable {
    /// The row has to exist, nothing more (`If-Match: *` means the same).
    case none
    case version(Version)
    /// A tag that can't be a version and matches no row.
    case unmatchable

    /// Returns whether a row with that version may be written.
    public func holds(for version: Version) -> Bool {
        switch self {
        case .none: true
        case .version(let wanted): wanted == version
        case .unmatchable: false
        }
    }
}
