/// Writes numbers and texts in a self-delimiting form.
public struct PackedWriter: Sendable {
    /// The written bytes.
    public private(set) var bytes: [UInt8]

    /// - Parameter bytes: existing bytes to append to.
    public init(bytes: [UInt8] = []) {
        self.bytes = bytes
    }

    /// Writes a byte, usually one that tells what follows.
    public mutating func byte(_ byte: UInt8) {
        bytes.append(byte)
    }

    /// Writes eight bytes, most significant first.
    public mutating func number(_ number: UInt64) {
        for shift in stride(from: UInt64(56), through: 0, by: -8) { bytes.append(UInt8(number >> shift & 255)) }
    }

    /// Writes the number of items that follow.
    public mutating func count(_ count: Int) {
        number(UInt64(count))
    }

    /// Writes text, preceded by its length.
    public mutating func text(_ text: String) {
        count(text.utf8.count)
        bytes += text.utf8
    }

    /// Writes bytes, preceded by their count.
    public mutating func slice(_ span: Span<UInt8>) {
        count(span.count)
        for index in span.indices { bytes.append(span[index]) }
    }
}

/// Reads what a `PackedWriter` wrote. Malformed input reads as nil.
public struct PackedReader: Sendable {
    private let bytes: [UInt8]
    private var position = 0

    /// Creates a reader at the first of these bytes.
    public init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Whether everything has been read.
    public var isAtEnd: Bool { position == bytes.count }

    /// Reads a byte.
    public mutating func byte() -> UInt8? {
        guard position < bytes.count else { return nil }
        position += 1
        return bytes[position - 1]
    }

    /// Reads a number.
    public mutating func number() -> UInt64? {
        guard bytes.count - position >= 8 else { return nil }
        position += 8
        return bytes[position - 8..<position].reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Reads a number of items; nil also if there can't be that many.
    public mutating func count() -> Int? {
        guard let count = number(), count <= UInt64(bytes.count - position) else { return nil }
        return Int(count)
    }

    /// Reads bytes.
    public mutating func slice() -> ArraySlice<UInt8>? {
        guard let count = count() else { return nil }
        position += count
        return bytes[position - count..<position]
    }

    /// Reads text.
    public mutating func text() -> String? {
        slice().flatMap { String(validating: $0, as: UTF8.self) }
    }
}
