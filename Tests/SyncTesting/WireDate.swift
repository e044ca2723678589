/// A date as it stands in an answer. Client libraries differ in what they make of its digits, so they are kept.
struct WireDate: Equatable {
    /// Since 1970, in UTC.
    private let seconds: Int64
    /// The digits behind the dot; empty where there is none.
    let fraction: String
    /// Whether the text ends in `Z`.
    let endsInZ: Bool

    /// Reads `2026-11-21T12:00:00`, with or without a fraction, and `Z` or an offset.
    init?(_ text: String) {
        let start = text.prefix(19)
        guard start.count == 19, start.dropFirst(10).first == "T",
            let year = Int64(start.prefix(4)), let month = Int64(start.dropFirst(5).prefix(2)),
            let day = Int64(start.dropFirst(8).prefix(2)), let hour = Int64(start.dropFirst(11).prefix(2)),
            let minute = Int64(start.dropFirst(14).prefix(2)), let second = Int64(start.suffix(2))
        else { return nil }
        var zone = text.dropFirst(19)
        fraction = zone.first == "." ? String(zone.dropFirst().prefix { $0.isASCII && $0.isNumber }) : ""
        if zone.first == "." { zone = zone.dropFirst(1 + fraction.count) }
        endsInZ = zone == "Z"
        var offset: Int64 = 0
        if !endsInZ {
            guard zone.count == 6, let sign = zone.first, "+-".contains(sign),
                let hours = Int64(zone.dropFirst().prefix(2)), let minutes = Int64(zone.suffix(2))
            else { return nil }
            offset = (hours * 60 + minutes) * (sign == "-" ? -60 : 60)
        }
        let days = CalendarDay(year: year, month: month, day: day).number
        seconds = days * 86_400 + hour * 3_600 + minute * 60 + second - offset
    }

    /// Since 1970, in units of 100 ns, as .NET counts.
    var ticks: Int64 { seconds * 10_000_000 + digits(7) }

    /// Since 1970, in milliseconds, the rest cut off.
    var milliseconds: Int64 { seconds * 1_000 + digits(3) }

    /// Since 1970, in milliseconds, rounded, as JavaScript's library reads dates.
    var roundedMilliseconds: Int64 { seconds * 1_000 + (digits(4) + 5) / 10 }

    /// Since 1970, in milliseconds, as Java's date format reads them: `.12` is 12 ms.
    var lenientMilliseconds: Int64 { seconds * 1_000 + (Int64(fraction) ?? 0) }

    private func digits(_ count: Int) -> Int64 {
        Int64((fraction + String(repeating: "0", count: count)).prefix(count)) ?? 0
    }
}

/// A time as client libraries write it in queries.
struct QueryDate {
    /// Since 1970, in units of 100 ns.
    let ticks: Int64

    /// `2026-11-21T12:00:00.123Z`.
    var millisecondText: String { text(fraction: String(String(1_000 + remainder / 10_000).dropFirst())) + "Z" }

    /// `2026-11-21T12:00:00.1230000`, without a zone.
    var tickText: String { text(fraction: String(String(10_000_000 + remainder).dropFirst())) }

    private var seconds: Int64 { ticks >= 0 ? ticks / 10_000_000 : -((9_999_999 - ticks) / 10_000_000) }

    private var remainder: Int64 { ticks - seconds * 10_000_000 }

    private func text(fraction: String) -> String {
        let days = seconds >= 0 ? seconds / 86_400 : -((86_399 - seconds) / 86_400)
        let second = seconds - days * 86_400
        let time = [second / 3_600, second / 60 % 60, second % 60].map(Self.two).joined(separator: ":")
        return "\(CalendarDay(number: days).text)T\(time).\(fraction)"
    }

    static func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

/// A day of the Gregorian calendar; counted from 1970 by counting years from March, so that leap days come last.
private struct CalendarDay {
    var year: Int64
    var month: Int64
    var day: Int64

    init(year: Int64, month: Int64, day: Int64) {
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// - Parameter number: days since 1970, from the year 1 on.
    init(number: Int64) {
        let shifted = number + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
    }

    var number: Int64 {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = shiftedYear / 400
        let yearOfEra = shiftedYear % 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    var text: String {
        String(String(10_000 + year).dropFirst()) + "-" + QueryDate.two(month) + "-" + QueryDate.two(day)
    }
}
