import ByteText
import Scalars

extension Lexer {
    /// Reads a date, a date with a time, a time of day or a GUID that is not in apostrophes (v3).
    /// - Returns: nil if the text at the position is none of them.
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
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        guard !Self.isWord(current), let day = Instant(day: text) else {
            throw error(at: start, "`\(text)` is not a day such as 2026-11-21.")
        }
        return .day(day)
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
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        guard !Self.isWord(current), let instant = Instant(text) else {
            throw error(at: start, "`\(Self.shortened(text))` is not a date and time such as 2026-11-21T12:00:00.123Z.")
        }
        return .date(instant)
    }

    private mutating func bareTime() throws(QueryError) -> Literal {
        let start = position
        skipTime()
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        guard !Self.isWord(current), let time = TimeOfDay(text) else {
            throw error(at: start, "`\(Self.shortened(text))` is not a time of day such as 12:00:00.123.")
        }
        return .time(time)
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

    /// Whether the text continues in a form in which `0` stands for any digit and `X` for any hexadecimal digit.
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
