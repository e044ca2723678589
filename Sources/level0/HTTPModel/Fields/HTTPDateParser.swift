extension HTTPDate {
    /// Parses a date in any of the three forms that RFC 9110 section 5.6.7 requires recipients to accept:
    /// `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` and `Sun Nov  6 08:49:37 1994`.
    ///
    /// - Parameter now: seconds since 1970, which determine the century of a two-digit year.
    /// - Returns: seconds since 1970; nil for any other text, so that a condition is ignored.
    public static func secondsSinceEpoch(from text: String, now: Int64) -> Int64? {
        let words = text.split { $0 == " " || $0 == "," || $0 == "-" }
        switch words.count {
        case 6 where words[5] == "GMT" || words[5] == "UTC":
            guard let year = year(words[3], now: now) else { return nil }
            return seconds(year, words[2], words[1], words[4])
        case 5:
            guard words[4].count == 4, let year = number(words[4]) else { return nil }
            return seconds(year, words[1], words[2], words[3])
        default:
            return nil
        }
    }

    private static func number(_ text: Substring) -> Int64? {
        text.utf8.allSatisfy { (48...57).contains($0) } ? Int64(text) : nil
    }

    /// Interprets two digits as the previous century if they would be more than 50 years ahead.
    private static func year(_ text: Substring, now: Int64) -> Int64? {
        guard let year = number(text) else { return nil }
        guard text.count == 2 else { return text.count == 4 ? year : nil }
        let current = now / 31_556_952 + 1970
        let sameCentury = current / 100 * 100 + year
        return sameCentury > current + 50 ? sameCentury - 100 : sameCentury
    }

    private static func seconds(_ year: Int64, _ month: Substring, _ day: Substring, _ time: Substring) -> Int64? {
        let clock = time.split(separator: ":", omittingEmptySubsequences: false).compactMap(number)
        guard let month = months.firstIndex(where: { $0 == month }), let day = number(day), (1...31).contains(day),
            clock.count == 3, clock[0] < 24, clock[1] < 60, clock[2] <= 60
        else { return nil }
        // Days since 0000-03-01, so that the leap day is the last of its year.
        let shiftedMonth = Int64(month < 2 ? month + 10 : month - 2)
        let shiftedYear = month < 2 ? year - 1 : year
        let dayOfYear = (153 * shiftedMonth + 2) / 5 + day - 1
        let days = 365 * shiftedYear + shiftedYear / 4 - shiftedYear / 100 + shiftedYear / 400 + dayOfYear - 719_468
        return ((days * 24 + clock[0]) * 60 + clock[1]) * 60 + clock[2]
    }
}
