/// Appends JSON to a buffer of bytes, without intermediate objects.
public struct JSONWriter: Sendable {
    /// The bytes written so far.
    public private(set) var bytes: [UInt8]

    /// Creates a writer with room for that many bytes.
    public init(capacity: Int = 256) {
        bytes = []
        bytes.reserveCapacity(capacity)
    }

    /// Appends punctuation or a word, unescaped.
    public mutating func raw(_ text: StaticString) {
        text.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
    }

    /// Appends one byte, unescaped.
    public mutating func raw(_ byte: UInt8) {
        bytes.append(byte)
    }

    /// Appends bytes that are already JSON.
    public mutating func raw(_ slice: ArraySlice<UInt8>) {
        bytes.append(contentsOf: slice)
    }

    /// Appends a part of memory that is already JSON.
    public mutating func raw(_ slice: Slice<UnsafeBufferPointer<UInt8>>) {
        unsafe bytes.append(contentsOf: slice)
    }

    /// Appends a span that is already JSON.
    public mutating func raw(_ span: Span<UInt8>) {
        append(span, 0..<span.count)
    }

    /// Appends what is written to a sink, at most that many bytes.
    public mutating func sink(atMost capacity: Int, _ body: (inout JSONSink) -> Void) {
        bytes.append(addingCapacity: capacity) { (span: inout OutputSpan<UInt8>) in
            unsafe span.withUnsafeMutableBufferPointer { room, count in
                guard let first = room.baseAddress else { return }
                var sink = unsafe JSONSink(
                    UnsafeMutableBufferPointer(rebasing: room[count...]), at: first + count)
                body(&sink)
                count += sink.count
            }
        }
    }

    /// Appends bytes written by the closure, for values with their own text form.
    public mutating func building(_ body: (inout [UInt8]) -> Void) {
        body(&bytes)
    }

    /// Appends `true` or `false`.
    public mutating func boolean(_ value: Bool) {
        if value { raw("true") } else { raw("false") }
    }

    /// Appends a whole number with all digits.
    public mutating func integer(_ value: Int64) {
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        var rest = value.magnitude
        let start = bytes.count
        repeat {
            bytes.append(UInt8(48 + rest % 10))
            rest /= 10
        } while rest > 0
        bytes[start...].reverse()
    }

    /// Appends a double: whole numbers without a fraction, like JavaScript, others in their shortest exact form, and
    /// null for values that JSON can't represent.
    public mutating func number(_ value: Double) {
        if let whole = Int64(exactly: value), whole.magnitude < 1 << 62 {
            integer(whole)
        } else if value.isFinite {
            bytes.append(contentsOf: value.description.utf8)
        } else {
            raw("null")
        }
    }

    /// Appends a string.
    public mutating func string(_ text: String) {
        var text = text
        text.withUTF8 { unsafe string($0.span) }
    }

    /// Appends a string from its UTF-8 bytes.
    public mutating func string(_ text: Span<UInt8>) {
        bytes.append(UInt8(ascii: "\""))
        var runStart = 0
        for index in text.indices {
            let byte = text[index]
            if byte >= 32, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") { continue }
            append(text, runStart..<index)
            runStart = index + 1
            escape(byte)
        }
        append(text, runStart..<text.count)
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func append(_ text: Span<UInt8>, _ range: Range<Int>) {
        unsafe text.extracting(range).withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
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
            bytes.append(48 + byte >> 4)
            bytes.append(byte & 15 < 10 ? 48 + byte & 15 : 87 + byte & 15)
        }
    }
}
