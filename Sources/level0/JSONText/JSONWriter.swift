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
        unsafe span.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
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

    /// Appends a whole number, all digits.
    public mutating func integer(_ value: Int64) { sink(atMost: JSONSink.longestNumber) { $0.integer(value) } }

    /// Appends a double: whole numbers without a fraction as JavaScript writes them, others in their shortest exact
    /// form, and null for what JSON can't say.
    public mutating func number(_ value: Double) { sink(atMost: JSONSink.longestNumber) { $0.number(value) } }

    /// Appends a string.
    public mutating func string(_ text: String) {
        var text = text
        text.withUTF8 { unsafe string($0.span) }
    }

    /// Appends a string from its UTF-8 bytes.
    public mutating func string(_ text: Span<UInt8>) {
        unsafe text.withUnsafeBufferPointer { text in
            unsafe sink(atMost: JSONSink.bound(of: text)) { unsafe $0.string(text) }
        }
    }
}
