internal import ByteText
internal import HTTPModel

/// The line before each chunk (RFC 9112 section 7.1): its size, and extensions that are validated but ignored.
enum ChunkSize {
    /// Parses a line without its line end.
    static func parse(_ line: Span<UInt8>) throws(HTTPFault) -> Int {
        var size = 0
        var index = 0
        while index < line.count, let digit = HexDigit.value(of: line[index]) {
            // 15 digits can't overflow; no honest client pads a size further than that.
            guard index < 15 else { throw .malformed("A chunk size has too many digits.") }
            size = size << 4 | Int(digit)
            index += 1
        }
        guard index > 0 else { throw .malformed("A chunk size is not a hexadecimal number.") }
        guard index < line.count else { return size }
        while index < line.count, ByteClass.isBlank(line[index]) { index += 1 }
        guard index < line.count, line[index] == UInt8(ascii: ";") else {
            throw .malformed("Something other than an extension follows a chunk size.")
        }
        guard ByteClass.isFieldValue(line.extracting(index...)) else {
            throw .malformed("A chunk extension holds a control character.")
        }
        return size
    }
}
