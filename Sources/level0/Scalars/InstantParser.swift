extension Instant {
    /// Parses an ISO 8601 date, or date and time, as written by clients of all generations.
    ///
    /// Accepted: `YYYY-MM-DD`, optionally followed by `T` (or a blank) and `hh:mm`, `:ss`, a fraction of any length
    /// (truncated to milliseconds, never rounded up), then `Z`, `+hh:mm`, `-hh:mm`, `+hhmm`, or nothing, which means
    /// UTC. A blank in place of the offset's sign is read as a plus that lost its percent-encoding.
    ///
    /// - Returns: nil if the text has another form or names a date or time that does not exist.
    public init?(_ text: some StringProtocol) {
        var text = String(text)
        let parsed = text.withUTF8 { unsafe Self.parse($0.span) }
        guard let parsed else { return nil }
        self = parsed
    }

    /// Parses the same forms from UTF-8 bytes.
    public static func parse(_ bytes: Span<UInt8>) -> Instant? {
        var scanner = DateScanner()
        guard let year = scanner.number(4, in: bytes), scanner.take("-", in: bytes),
            let month = scanner.number(2, in: bytes), scanner.take("-", in: bytes),
            let day = scanner.number(2, in: bytes), year >= 1, (1...12).contains(month), day >= 1,
            day <= daysIn(month: month, of: year)
        else { return nil }
        var milliseconds = daysSinceEpoch(year: year, month: month, day: day) * 86_400_000
        if scanner.isAtEnd(of: bytes) { return Instant(milliseconds: milliseconds) }

        guard scanner.take("T", in: bytes) || scanner.take("t", in: bytes) || scanner.take(" ", in: bytes),
            let hour = scanner.number(2, in: bytes),
            scanner.take(":", in: bytes), let minute = scanner.number(2, in: bytes), hour <= 23, minute <= 59
        else { return nil }
        milliseconds += Int64(hour) * 3_600_000 + Int64(minute) * 60_000
        if scanner.take(":", in: bytes) {
            guard let second = scanner.number(2, in: bytes), second <= 59 else { return nil }
            milliseconds += Int64(second) * 1_000
            if scanner.take(".", in: bytes) {
                guard let fraction = scanner.fractionMilliseconds(in: bytes) else { return nil }
                milliseconds += fraction
            }
        }
        guard let offset = scanner.offsetMinutes(in: bytes), scanner.isAtEnd(of: bytes) else { return nil }
        milliseconds -= Int64(offset) * 60_000
        guard (earliest...latest).contains(milliseconds) else { return nil }
        return Instant(milliseconds: milliseconds)
    }

    static func daysIn(month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    static func daysSinceEpoch(year: Int, month: Int, day: Int) -> Int64 {
        let shiftedYear = Int64(month <= 2 ? year - 1 : year)
        let era = shiftedYear / 400
        let yearOfEra = shiftedYear - era * 400
        let shiftedMonth = Int64(month > 2 ? month - 3 : month + 9)
        let dayOfYear = (153 * shiftedMonth + 2) / 5 + Int64(day) - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}

/// A position in the bytes, which are passed to each step: a type can't store a span yet.
private struct DateScanner {
    var position = 0

    func isAtEnd(of bytes: Span<UInt8>) -> Bool { position == bytes.count }

    mutating func take(_ character: Unicode.Scalar, in bytes: Span<UInt8>) -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    mutating func digit(in bytes: Span<UInt8>) -> Int? {
        guard position < bytes.count, (48...57).contains(bytes[position]) else { return nil }
        position += 1
        return Int(bytes[position - 1]) - 48
    }

    mutating func number(_ count: Int, in bytes: Span<UInt8>) -> Int? {
        var value = 0
        for _ in 0..<count {
            guard let digit = digit(in: bytes) else { return nil }
            value = value * 10 + digit
        }
        return value
    }

    mutating func fractionMilliseconds(in bytes: Span<UInt8>) -> Int64? {
        guard var value = digit(in: bytes) else { return nil }
        var count = 1
        while let digit = digit(in: bytes) {
            if count < 3 { value = value * 10 + digit }
            count += 1
        }
        for _ in min(count, 3)..<3 { value *= 10 }
        return Int64(value)
    }

    mutating func offsetMinutes(in bytes: Span<UInt8>) -> Int? {
        if isAtEnd(of: bytes) || take("Z", in: bytes) || take("z", in: bytes) { return 0 }
        let sign: Int
        if take("-", in: bytes) {
            sign = -1
        } else if take("+", in: bytes) || take(" ", in: bytes) {
            sign = 1
        } else {
            return nil
        }
        guard let hours = number(2, in: bytes), hours <= 14 else { return nil }
        if isAtEnd(of: bytes) { return sign * hours * 60 }
        _ = take(":", in: bytes)
        guard let minutes = number(2, in: bytes), minutes <= 59 else { return nil }
        return sign * (hours * 60 + minutes)
    }
}
