import ByteText
import Scalars

extension Lexer {
    /// Reads text between apostrophes, with doubled apostrophes inside. The position is at the first.
    mutating func quoted() throws(QueryError) -> String {
        let opening = position
        position += 1
        var start = position
        var text: [UInt8] = []
        while position < bytes.count {
            guard bytes[position] == UInt8(ascii: "'") else {
                position += 1
                continue
            }
            position += 1
            if current != UInt8(ascii: "'") {
                guard !text.isEmpty else { return String(decoding: bytes[start..<position - 1], as: UTF8.self) }
                text += bytes[start..<position - 1]
                return String(decoding: text, as: UTF8.self)
            }
            text += bytes[start..<position]
            position += 1
            start = position
        }
        throw error(at: opening, "The closing apostrophe is missing.")
    }

    /// Reads a literal such as `guid'…'`. The position is at the apostrophe; the word before it begins at `start`.
    /// - Returns: nil if the word isn't a literal's prefix.
    mutating func prefixedLiteral(from start: Int) throws(QueryError) -> Literal? {
        switch String(decoding: bytes[start..<position], as: UTF8.self) {
        case "datetime", "datetimeoffset":
            // .NET writes offsets and seven digits; a plus that was not percent-encoded arrives as a blank.
            let text = try quoted()
            return .date(try read(Instant(text), text, at: start, "a date and time such as 2026-11-21T12:00:00.123Z"))
        case "guid":
            let text = try quoted()
            let example = "0d4f3a3e-7a1b-4c8e-9f53-2b6f1c0e8d7a"
            return .guid(try read(Self.guid(text), text, at: start, "a GUID such as \(example)"))
        case "X", "binary":
            let text = try quoted()
            return .binary(try read([UInt8](hexText: text), text, at: start, "an even number of hexadecimal digits"))
        case "time":
            throw error(at: start, "Times without a date are not supported.")
        case "geography", "geometry":
            throw error(at: start, "Places are not supported.")
        default:
            return nil
        }
    }

    /// Returns a parsed value, or throws if the text could not be parsed.
    func read<Read>(_ value: Read?, _ text: String, at start: Int, _ noun: String) throws(QueryError) -> Read {
        guard let value else { throw error(at: start, "`\(Self.shortened(text))` is not \(noun).") }
        return value
    }

    static func guid(_ text: String) -> String? {
        let bytes = Array(text.utf8)
        guard bytes.count == 36 else { return nil }
        for (index, byte) in bytes.enumerated() {
            switch index {
            case 8, 13, 18, 23: guard byte == UInt8(ascii: "-") else { return nil }
            default: guard HexDigit.value(of: byte) != nil else { return nil }
            }
        }
        return text.lowercased()
    }
}
