public import HTTPModel

/// A body as the record keeps it: whole, truncated, or a stream of which only the length may be known.
public struct RecordedBody: Sendable, Equatable {
    /// What is kept.
    public let bytes: [UInt8]
    /// How long the whole was; nil for a stream that did not know.
    public let length: Int?
    /// Whether it was made while it was sent, so that nothing of it was kept.
    public let isStreamed: Bool
    /// Whether something of it was left out on purpose, so that its length says nothing of what is kept.
    private let isRedacted: Bool

    /// A body that is there.
    public init(_ bytes: [UInt8]) {
        self.init(bytes: bytes, length: bytes.count, isStreamed: false)
    }

    /// An answer's body.
    public init(_ body: ResponseBody) {
        if let bytes = body.joined {
            self.init(bytes)
        } else {
            self.init(bytes: [], length: body.length, isStreamed: true)
        }
    }

    private init(bytes: [UInt8], length: Int?, isStreamed: Bool, isRedacted: Bool = false) {
        self.isRedacted = isRedacted
        self.bytes = bytes
        self.length = length
        self.isStreamed = isStreamed
    }

    /// The same with the bytes that nobody should see replaced.
    public func showing(_ bytes: [UInt8]) -> RecordedBody {
        RecordedBody(bytes: bytes, length: length, isStreamed: isStreamed, isRedacted: true)
    }

    /// Whether its end was left out.
    public var isCut: Bool { !isStreamed && !isRedacted && bytes.count < length ?? 0 }

    /// Whether nothing of it is missing.
    public var isWhole: Bool { !isStreamed && !isCut }

    /// Its text; nil if it isn't text, or contains control characters that JSON readers refuse.
    public var text: String? {
        let isPlain = bytes.allSatisfy { $0 >= 32 && $0 != 127 || $0 == 9 || $0 == 10 || $0 == 13 }
        return isPlain ? String(validating: bytes, as: UTF8.self) : nil
    }

    /// The same with at most that many bytes, and no character cut in two.
    public func cut(to most: Int) -> RecordedBody {
        guard bytes.count > most else { return self }
        var end = max(most, 0)
        while end > 0, end > most - 3, bytes[end] & 0xC0 == 0x80 { end -= 1 }
        if bytes[end] & 0xC0 == 0x80 { end = max(most, 0) }
        return RecordedBody(bytes: Array(bytes[..<end]), length: length, isStreamed: false)
    }
}
