import ByteText

/// Writes JSON into memory that has enough room, without checking twice or requesting more.
///
/// Its creator states the maximum size to be written, using the bounds given here.
@safe public struct JSONSink {
    @usableFromInline let start: UnsafeMutablePointer<UInt8>
    @usableFromInline let capacity: Int
    /// The number of bytes written.
    public private(set) var count = 0

    init(_ room: UnsafeMutableBufferPointer<UInt8>, at start: UnsafeMutablePointer<UInt8>) {
        unsafe self.start = start
        capacity = room.count
    }

    /// The maximum size in bytes of a number, a boolean or null.
    public static let longestNumber = 32

    /// Returns the maximum size in bytes of a text as a string; for long texts, escapes are counted.
    @inline(__always)
    public static func bound(of text: UnsafeBufferPointer<UInt8>) -> Int {
        text.count <= 64 ? 6 * text.count + 2 : unsafe countedBound(of: text)
    }

    private static func countedBound(of text: UnsafeBufferPointer<UInt8>) -> Int {
        var bound = text.count + 2
        for index in text.indices where unsafe !isPlain(text[index]) { bound += 5 }
        return bound
    }

    /// Writes one byte, unescaped.
    @inline(__always)
    public mutating func raw(_ byte: UInt8) {
        precondition(count < capacity)
        unsafe start[count] = byte
        count += 1
    }

    /// Writes bytes, unescaped.
    @inline(__always)
    public mutating func raw(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let first = bytes.baseAddress else { return }
        precondition(bytes.count <= capacity - count)
        unsafe (start + count).update(from: first, count: bytes.count)
        count += bytes.count
    }

    /// Writes bytes, at least one, unescaped, sixteen at a time: fifteen more must be readable after them, and there
    /// must be room for as many.
    @inline(__always)
    public mutating func raw(padded bytes: UnsafePointer<UInt8>, count length: Int) {
        precondition(length > 0 && length + 15 <= capacity - count)
        let (source, target) = unsafe (UnsafeRawPointer(bytes), UnsafeMutableRawPointer(start + count))
        var index = 0
        repeat {
            let words = unsafe source.loadUnaligned(fromByteOffset: index, as: SIMD2<UInt64>.self)
            unsafe target.storeBytes(of: words, toByteOffset: index, as: SIMD2<UInt64>.self)
            index += 16
        } while index < length
        count += length
    }

    /// Writes text that needs no escapes as a string.
    @inline(__always)
    public mutating func plain(_ text: UnsafeBufferPointer<UInt8>) {
        raw(UInt8(ascii: "\""))
        if let first = text.baseAddress, (8...64).contains(text.count) {
            precondition(text.count <= capacity - count)
            let (source, target) = unsafe (UnsafeRawPointer(first), UnsafeMutableRawPointer(start + count))
            // Copies the last eight bytes as a whole, even if some of them were copied before.
            let last = text.count - 8
            for index in stride(from: 0, to: last, by: 8) {
                let word = unsafe source.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                unsafe target.storeBytes(of: word, toByteOffset: index, as: UInt64.self)
            }
            let word = unsafe source.loadUnaligned(fromByteOffset: last, as: UInt64.self)
            unsafe target.storeBytes(of: word, toByteOffset: last, as: UInt64.self)
            count += text.count
        } else {
            unsafe raw(text)
        }
        raw(UInt8(ascii: "\""))
    }

    /// Writes text, unescaped.
    @inline(__always)
    public mutating func raw(_ text: StaticString) {
        unsafe raw(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Writes a whole number with all digits.
    public mutating func integer(_ value: Int64) {
        if value < 0 { raw(UInt8(ascii: "-")) }
        var rest = value.magnitude
        var digits = 1
        var limit: UInt64 = 10
        while digits < 19, rest >= limit {
            digits += 1
            limit *= 10
        }
        // 10 to the 19th exceeds signed numbers.
        precondition(digits <= capacity - count)
        var place = unsafe start + count + digits
        count += digits
        repeat {
            unsafe place -= 1
            unsafe place.pointee = 48 + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        } while rest > 0
    }

    /// Writes a double, as `JSONWriter.number` does.
    public mutating func number(_ value: Double) {
        if let whole = Int64(exactly: value), whole.magnitude < 1 << 62 { return integer(whole) }
        guard value.isFinite else { return raw("null") }
        for byte in value.description.utf8 { raw(byte) }
    }

    /// Writes UTF-8 text as a string, eight bytes at a time while none of them needs an escape.
    public mutating func string(_ text: UnsafeBufferPointer<UInt8>) {
        raw(UInt8(ascii: "\""))
        guard let first = text.baseAddress else { return raw(UInt8(ascii: "\"")) }
        let bytes = unsafe UnsafeRawPointer(first)
        var index = 0
        while index < text.count {
            while index + 8 <= text.count, count + 8 <= capacity {
                let word = unsafe bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                if TextWord.needsEscape(word) { break }
                unsafe UnsafeMutableRawPointer(start + count).storeBytes(of: word, as: UInt64.self)
                index += 8
                count += 8
            }
            let end = min(index + 8, text.count)
            while index < end {
                let byte = unsafe first[index]
                if Self.isPlain(byte) { raw(byte) } else { escape(byte) }
                index += 1
            }
        }
        raw(UInt8(ascii: "\""))
    }

    @inline(__always)
    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 32 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    private mutating func escape(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): raw("\\\"")
        case UInt8(ascii: "\\"): raw("\\\\")
        case 10: raw("\\n")
        case 13: raw("\\r")
        case 9: raw("\\t")
        default:
            raw("\\u00")
            raw(48 + byte >> 4)
            raw(byte & 15 < 10 ? 48 + byte & 15 : 87 + byte & 15)
        }
    }
}
