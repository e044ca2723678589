public import HTTPModel

/// A recorded body: whole, truncated, or a stream, of which at most the length is known.
public struct RecordedBody: Sendable, Equatable {
    /// The recorded bytes.
    public let bytes: [UInt8]
    /// The original length in bytes; nil for a stream of unknown length.
    public let length: Int?
    /// Whether it was streamed, so that none of it was recorded.
    public let isStreamed: Bool
    /// Whether parts were removed on purpose, so that the length doesn't match the recorded bytes.
    private let isRedacted: Bool

    /// Records a body in memory.
    public init(_ bytes: [UInt8]) {
        self.init(bytes: bytes, length: bytes.count, isStreamed: false)
    }

    /// Records an answer's body.
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

    /// Returns the same body with secret bytes replaced.
    public func showing(_ bytes: [UInt8]) -> RecordedBody {
        RecordedBody(bytes: bytes, length: length, isStreamed: isStreamed, isRedacted: true)
    }

    /// Whether it was truncated.
    public var isCut: Bool { !isStreamed && !isRedacted && bytes.count < length ?? 0 }

    /// Whether nothing is missing.
    public var isWhole: Bool { !isStreamed && !isCut }

    /// The text; nil if it isn't text, or contains control characters that JSON readers refuse.
    public var text: String? {
        let isPlain = bytes.allSatisfy { $0 >= 32 && $0 != 127 || $0 == 9 || $0 == 10 || $0 == 13 }
        return isPlain ? String(validating: bytes, as: UTF8.self) : nil
    }

    /// Returns the same body truncated to at most that many bytes, without splitting a character.
    public func cut(to most: Int) -> RecordedBody {
        guard bytes.count > most else { return self }
        var end = max(most, 0)
        while end > 0, end > most - 3, bytes[end] & 0xC0 == 0x80 { end -= 1 }
        if bytes[end] & 0xC0 == 0x80 { end = max(most, 0) }
        return RecordedBody(bytes: Array(bytes[..<end]), length: length, isStreamed: false)
    }
}
