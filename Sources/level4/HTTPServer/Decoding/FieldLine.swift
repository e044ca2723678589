internal import HTTPModel

/// The positions of a header field's name and value in its line (RFC 9112 section 5).
struct FieldLine {
    var name: Range<Int>
    /// Without surrounding white space.
    var value: Range<Int>

    /// Parses a line without its line ending.
    init(_ line: Span<UInt8>) throws(HTTPFault) {
        var colon = 0
        while colon < line.count, ByteClass.isToken(line[colon]) { colon += 1 }
        guard colon > 0, colon < line.count, line[colon] == ByteClass.colon else {
            // A blank here means a folded line or a space before the colon: both have smuggled requests past proxies.
            throw .malformed("A header field is not a name directly followed by a colon.")
        }
        var start = colon + 1
        var end = line.count
        while start < end, ByteClass.isBlank(line[start]) { start += 1 }
        while end > start, ByteClass.isBlank(line[end - 1]) { end -= 1 }
        guard ByteClass.isFieldValue(line.extracting(start..<end)) else {
            throw .malformed("The value of a header field holds a control character.")
        }
        name = 0..<colon
        value = start..<end
    }
}
