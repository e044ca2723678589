import ByteText

/// A strict reader of RFC 8259 text.
///
/// It is stricter than the RFC in two points, so that whatever is accepted can be stored and returned unchanged by
/// every store: U+0000 is refused, and so are lone surrogates unless the caller wants them replaced.
public struct JSONReader {
    /// How to treat `\ud800` without its other half, which can't be represented in UTF-8.
    public enum LoneSurrogates: Sendable {
        case refused
        /// Replaced by U+FFFD. An emoji that an app cut in two must not block its row for ever.
        case replaced
    }

    /// The maximum nesting depth of arrays and objects.
    public static let maximumDepth = 64

    private let bytes: [UInt8]
    private let loneSurrogates: LoneSurrogates
    private var position = 0
    private var depth = 0

    /// Parses one value that makes up the whole text, apart from surrounding white space.
    public static func parse(
        _ bytes: [UInt8], loneSurrogates: LoneSurrogates = .refused
    ) throws(JSONError) -> JSONValue {
        var reader = JSONReader(bytes: bytes, loneSurrogates: loneSurrogates)
        reader.skipByteOrderMark()
        reader.skipWhitespace()
        let value = try reader.value()
        reader.skipWhitespace()
        guard reader.position == bytes.count else { throw reader.error(.trailingText) }
        return value
    }

    private func error(_ reason: JSONError.Reason, at offset: Int? = nil) -> JSONError {
        JSONError(offset: offset ?? position, reason: reason)
    }

    private var current: UInt8? {
        position < bytes.count ? bytes[position] : nil
    }

    /// RFC 8259 section 8.1 allows a reader to ignore the mark, and some .NET writers send it.
    private mutating func skipByteOrderMark() {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    private mutating func skipWhitespace() {
        while let byte = current, byte == 32 || byte == 10 || byte == 13 || byte == 9 { position += 1 }
    }

    private mutating func value() throws(JSONError) -> JSONValue {
        switch current {
        case nil: throw error(.unexpectedEnd)
        case UInt8(ascii: "{"): return try object()
        case UInt8(ascii: "["): return try array()
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .boolean(true))
        case UInt8(ascii: "f"): return try word("false", .boolean(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case UInt8(ascii: "-"), (48...57)?: return try number()
        default: throw error(.expected("a value"))
        }
    }

    private mutating func word(_ word: StaticString, _ value: JSONValue) throws(JSONError) -> JSONValue {
        let length = word.utf8CodeUnitCount
        let matches =
            position + length <= bytes.count
            && word.withUTF8Buffer { unsafe $0.elementsEqual(bytes[position..<(position + length)]) }
        guard matches else { throw error(.expected("a value")) }
        position += length
        return value
    }

    private mutating func enter() throws(JSONError) {
        depth += 1
        if depth > Self.maximumDepth { throw error(.tooDeep(limit: Self.maximumDepth)) }
        position += 1
        skipWhitespace()
    }

    private mutating func leave() {
        depth -= 1
        position += 1
    }

    private mutating func object() throws(JSONError) -> JSONValue {
        try enter()
        var members: [JSONMember] = []
        if current == UInt8(ascii: "}") {
            leave()
            return .object(members)
        }
        while true {
            guard let quote = current else { throw error(.unexpectedEnd) }
            guard quote == UInt8(ascii: "\"") else { throw error(.expected("a member name in double quotes")) }
            let name = try string()
            skipWhitespace()
            try take(":", "a colon")
            skipWhitespace()
            members.append(JSONMember(name, try value()))
            skipWhitespace()
            if current == UInt8(ascii: "}") {
                leave()
                return .object(members)
            }
            try take(",", "a comma or }")
            skipWhitespace()
        }
    }

    private mutating func array() throws(JSONError) -> JSONValue {
        try enter()
        var elements: [JSONValue] = []
        if current == UInt8(ascii: "]") {
            leave()
            return .array(elements)
        }
        while true {
            elements.append(try value())
            skipWhitespace()
            if current == UInt8(ascii: "]") {
                leave()
                return .array(elements)
            }
            try take(",", "a comma or ]")
            skipWhitespace()
        }
    }

    private mutating func take(_ character: Unicode.Scalar, _ words: String) throws(JSONError) {
        guard let byte = current else { throw error(.unexpectedEnd) }
        guard byte == UInt8(ascii: character) else { throw error(.expected(words)) }
        position += 1
    }

    // MARK: - Numbers

    private mutating func digits() throws(JSONError) {
        guard let first = current, (48...57).contains(first) else { throw error(.invalidNumber) }
        while let byte = current, (48...57).contains(byte) { position += 1 }
    }

    private mutating func number() throws(JSONError) -> JSONValue {
        let start = position
        var isWhole = true
        var hasExponent = false
        if current == UInt8(ascii: "-") { position += 1 }
        if current == UInt8(ascii: "0") {
            position += 1
            if let byte = current, (48...57).contains(byte) { throw error(.invalidNumber) }
        } else {
            try digits()
        }
        if current == UInt8(ascii: ".") {
            isWhole = false
            position += 1
            try digits()
        }
        if current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
            (isWhole, hasExponent) = (false, true)
            position += 1
            if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { position += 1 }
            try digits()
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if isWhole, let whole = Int64(text) { return .integer(whole) }
        guard let number = Double(text), number.isFinite else { throw error(.numberOutOfRange, at: start) }
        // Counting a sign and a point as digits only makes this one or two digits stricter.
        let isPlain = !hasExponent && !isWhole && position - start <= 15 && bytes[position - 1] != UInt8(ascii: "0")
        return isPlain ? .number(number) : .precise(text, nearest: number)
    }

    // MARK: - Strings

    private mutating func string() throws(JSONError) -> String {
        position += 1
        let start = position
        while let byte = current {
            if byte == UInt8(ascii: "\"") {
                let text = try text(bytes[start..<position], from: start)
                position += 1
                return text
            }
            if byte == UInt8(ascii: "\\") { return try escapedString(from: start) }
            if byte < 32 { throw error(byte == 0 ? .nul : .controlCharacter) }
            position += 1
        }
        throw error(.unexpectedEnd)
    }

    /// Continues a string at its first backslash.
    private mutating func escapedString(from start: Int) throws(JSONError) -> String {
        var unescaped = Array(bytes[start..<position])
        while let byte = current {
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return try text(unescaped[...], from: start)
            case UInt8(ascii: "\\"): try escape(into: &unescaped)
            case 0..<32: throw error(byte == 0 ? .nul : .controlCharacter, at: position - 1)
            default: unescaped.append(byte)
            }
        }
        throw error(.unexpectedEnd)
    }

    private func text(_ slice: ArraySlice<UInt8>, from start: Int) throws(JSONError) -> String {
        guard let text = String(strictly: slice.span) else { throw error(.invalidUTF8, at: start) }
        return text
    }

    private mutating func escape(into output: inout [UInt8]) throws(JSONError) {
        let start = position - 1
        guard let kind = current else { throw error(.unexpectedEnd) }
        position += 1
        switch kind {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): output.append(kind)
        case UInt8(ascii: "b"): output.append(8)
        case UInt8(ascii: "f"): output.append(12)
        case UInt8(ascii: "n"): output.append(10)
        case UInt8(ascii: "r"): output.append(13)
        case UInt8(ascii: "t"): output.append(9)
        case UInt8(ascii: "u"):
            let scalar = try scalar(from: start)
            if scalar == "\0" { throw error(.nul, at: start) }
            output.append(contentsOf: Unicode.UTF8.encode(scalar) ?? Unicode.UTF8.encodedReplacementCharacter)
        default: throw error(.invalidEscape, at: start)
        }
    }

    /// Reads the digits after `\u`, and the second half of a surrogate pair.
    private mutating func scalar(from start: Int) throws(JSONError) -> Unicode.Scalar {
        let code = try hexadecimal(from: start)
        if let scalar = Unicode.Scalar(code) { return scalar }
        let rest = position
        if code < 0xDC00, current == UInt8(ascii: "\\"), position + 1 < bytes.count,
            bytes[position + 1] == UInt8(ascii: "u")
        {
            position += 2
            let low = try hexadecimal(from: start)
            if (0xDC00...0xDFFF).contains(low),
                let scalar = Unicode.Scalar(0x10000 + (code - 0xD800) << 10 + (low - 0xDC00))
            {
                return scalar
            }
        }
        guard loneSurrogates == .replaced else { throw error(.invalidEscape, at: start) }
        // The next escape stands alone.
        position = rest
        return "\u{FFFD}"
    }

    private mutating func hexadecimal(from start: Int) throws(JSONError) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = current else { throw error(.unexpectedEnd) }
            guard let digit = HexDigit.value(of: byte) else { throw error(.invalidEscape, at: start) }
            code = code << 4 | UInt32(digit)
            position += 1
        }
        return code
    }
}
