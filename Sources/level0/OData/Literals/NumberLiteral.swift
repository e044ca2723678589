import Scalars

extension Lexer {
    /// Reads a number whose first digit is at the position: whole or real, with an optional exponent and suffix.
    ///
    /// `L` marks a whole number and may follow blanks; `f` and `d` mark a real and `m` a decimal, with or without a
    /// fraction. A number without a suffix is a decimal if it has more digits than a double can reliably distinguish.
    mutating func number(isNegative: Bool) throws(QueryError) -> Literal {
        let start = position
        skipDigits()
        var (isReal, isDecimal) = (false, false)
        if current == UInt8(ascii: ".") {
            isReal = true
            position += 1
            guard Self.isDigit(current) else { throw error(at: position, "Expected a digit after the decimal point.") }
            skipDigits()
        }
        if current | 0x20 == UInt8(ascii: "e") {
            isReal = true
            position += 1
            if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { position += 1 }
            guard Self.isDigit(current) else { throw error(at: position, "Expected the digits of the exponent.") }
            skipDigits()
        }
        let end = position
        if Self.isWord(current) {
            switch current | 0x20 {
            case UInt8(ascii: "f"), UInt8(ascii: "d"): isReal = true
            case UInt8(ascii: "m"): isDecimal = true
            case UInt8(ascii: "l") where !isReal: break
            default: throw error(at: position, "A number can't go on with this letter.")
            }
            position += 1
            guard !Self.isWord(current) else { throw error(at: position, "Expected a blank after the number.") }
        } else if !isReal {
            skipDistantSuffix()
        }
        let digits = (isNegative ? "-" : "") + String(decoding: bytes[start..<end], as: UTF8.self)
        if isDecimal {
            guard let decimal = DecimalNumber(digits), !decimal.isTooLong else {
                throw QueryError(
                    option, at: start, .syntax("A decimal has at most \(DecimalNumber.maximumDigits) digits."))
            }
            return .decimal(decimal)
        }
        if !isReal, let integer = Int64(digits) { return .integer(integer) }
        if end == position, end - start > Self.sureDigits, let decimal = DecimalNumber(digits), !decimal.isTooLong {
            return .decimal(decimal)
        }
        guard let real = Double(digits), real.isFinite else { throw error(at: start, "The number is too large.") }
        return .real(real)
    }

    /// Different decimals with this many digits are always different doubles.
    private static let sureDigits = 15

    private mutating func skipDigits() {
        while Self.isDigit(current) { position += 1 }
    }

    /// Skips an `L` that is separated from its number by blanks.
    private mutating func skipDistantSuffix() {
        let end = position
        skipBlanks()
        if position > end, current | 0x20 == UInt8(ascii: "l"), !Self.isWord(following) {
            position += 1
        } else {
            position = end
        }
    }
}
