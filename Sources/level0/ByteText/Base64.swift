/// Strict Base64: every value has exactly one text, so that a token can't be spelled in two ways.
public enum Base64 {
    /// The digits of a text.
    public enum Alphabet: Sendable {
        /// `+` and `/`, padded with `=` to a multiple of four.
        case standard
        /// `-` and `_`, never padded: the form of tokens.
        case url
    }

    /// - Returns: nil for any text that isn't an encoding in this alphabet.
    public static func decode(_ text: some Collection<UInt8>, _ alphabet: Alphabet) -> [UInt8]? {
        var digits = Array(text)
        if alphabet == .standard {
            guard digits.count % 4 == 0 else { return nil }
            for _ in 0..<2 where digits.last == UInt8(ascii: "=") { digits.removeLast() }
        }
        guard digits.count % 4 != 1 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count * 3 / 4)
        var bits: UInt32 = 0
        var bitCount: UInt32 = 0
        for digit in digits {
            guard let value = value(of: digit, alphabet) else { return nil }
            bits = bits << 6 | value
            bitCount += 6
            if bitCount >= 8 {
                bitCount -= 8
                bytes.append(UInt8(bits >> bitCount))
                bits &= 1 << bitCount - 1
            }
        }
        // Bits beyond the last byte must be zero.
        return bits == 0 ? bytes : nil
    }

    /// Returns the URL form, unpadded.
    public static func url(_ bytes: some Collection<UInt8>) -> String {
        var text: [UInt8] = []
        appendURL(bytes, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends the URL form, unpadded.
    public static func appendURL(_ bytes: some Collection<UInt8>, to text: inout [UInt8]) {
        var bits: UInt32 = 0
        var bitCount: UInt32 = 0
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            bitCount += 8
            while bitCount >= 6 {
                bitCount -= 6
                text.append(urlDigit(bits >> bitCount))
                bits &= 1 << bitCount - 1
            }
        }
        if bitCount > 0 { text.append(urlDigit(bits << (6 - bitCount))) }
    }

    /// Appends the standard form, padded.
    public static func appendStandard(_ bytes: some Collection<UInt8>, to text: inout [UInt8]) {
        let start = text.count
        appendURL(bytes, to: &text)
        for index in start..<text.count {
            switch text[index] {
            case UInt8(ascii: "-"): text[index] = UInt8(ascii: "+")
            case UInt8(ascii: "_"): text[index] = UInt8(ascii: "/")
            default: continue
            }
        }
        while (text.count - start) % 4 != 0 { text.append(UInt8(ascii: "=")) }
    }

    private static func value(of digit: UInt8, _ alphabet: Alphabet) -> UInt32? {
        switch (digit, alphabet) {
        case (65...90, _): UInt32(digit) - 65
        case (97...122, _): UInt32(digit) - 71
        case (48...57, _): UInt32(digit) + 4
        case (UInt8(ascii: "+"), .standard), (UInt8(ascii: "-"), .url): 62
        case (UInt8(ascii: "/"), .standard), (UInt8(ascii: "_"), .url): 63
        default: nil
        }
    }

    private static func urlDigit(_ value: UInt32) -> UInt8 {
        switch UInt8(value) {
        case let value where value < 26: value + 65
        case let value where value < 52: value + 71
        case let value where value < 62: value - 4
        case 62: UInt8(ascii: "-")
        default: UInt8(ascii: "_")
        }
    }
}
