import ByteText
import Scalars

extension Lexer {
    /// Reads an unquoted date, date with time, time of day or GUID (v3).
    /// - Returns: nil if the text at the position is none of these.
    mutating func bareLiteral() throws(QueryError) -> Literal? {
        if let guid = bareGUID() { return .guid(guid) }
        if matches("0000-00-00") {
            return matches("T00:00", at: position + 10) ? try bareInstant() : try bareDay()
        }
        return matches("00:00") ? try bareTime() : nil
    }

    private mutating func bareDay() throws(QueryError) -> Literal {
        let start = position
        position += 10
        return .day(try bare(from: start, "a day such as 2026-11-21") { Instant(day: $0) })
    }

    private mutating func bareInstant() throws(QueryError) -> Literal {
        let start = position
        position += 11
        skipTime()
        if current | 0x20 == UInt8(ascii: "z") {
            position += 1
        } else if matches("+00:00") || matches("-00:00") || matches(" 00:00") {
            // A plus that was not percent-encoded arrives as a blank.
            position += 6
        }
        return .date(
            try bare(from: start, "a date and time such as 2026-11-21T12:00:00.123Z") { Instant($0) })
    }

    private mutating func bareTime() throws(QueryError) -> Literal {
        let start = position
        skipTime()
        return .time(try bare(from: start, "a time of day such as 12:00:00.123") { TimeOfDay($0) })
    }

    private func bare<Read>(
        from start: Int, _ noun: String, _ make: (String) -> Read?
    ) throws(QueryError) -> Read {
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        return try read(Self.isWord(current) ? nil : make(text), text, at: start, noun)
    }

    private mutating func bareGUID() -> String? {
        let form: StaticString = "XXXXXXXX-XXXX-XXXX-XXXX-XXXXXXXXXXXX"
        guard matches(form), position + 36 >= bytes.count || !Self.isWord(bytes[position + 36]) else { return nil }
        position += 36
        return String(decoding: bytes[position - 36..<position], as: UTF8.self).lowercased()
    }

    private mutating func skipTime() {
        while Self.isDigit(current) || current == UInt8(ascii: ":") || current == UInt8(ascii: ".") { position += 1 }
    }

    /// Returns whether the text has a form in which `0` stands for any digit and `X` for any hexadecimal digit.
    private func matches(_ form: StaticString, at start: Int? = nil) -> Bool {
        let start = start ?? position
        return form.withUTF8Buffer { form in
            let form = unsafe form.span
            guard start + form.count <= bytes.count else { return false }
            for index in form.indices {
                let byte = bytes[start + index]
                let fits =
                    switch form[index] {
                    case UInt8(ascii: "0"): Self.isDigit(byte)
                    case UInt8(ascii: "X"): HexDigit.value(of: byte) != nil
                    case UInt8(ascii: "T"): byte | 0x20 == UInt8(ascii: "t")
                    default: byte == form[index]
                    }
                guard fits else { return false }
            }
            return true
        }
    }
}
