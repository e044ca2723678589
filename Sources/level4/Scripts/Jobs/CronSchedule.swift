/// The schedule of a job in cron's five fields: minute, hour, day of the month, month, day of the week, in UTC.
public struct CronSchedule: Sendable, Equatable {
    /// The values that each field allows, in order.
    private let fields: [Set<Int>]
    /// Whether the day of the month, or of the week, is unrestricted: if neither is, a match of either suffices.
    private let isDayOpen: Bool
    private let isWeekdayOpen: Bool

    private static let ranges = [0...59, 0...23, 1...31, 1...12, 0...7]

    /// Parses the fields.
    /// - Returns: nil if the text isn't a schedule.
    public init?(_ text: String) {
        let texts = text.split(whereSeparator: \.isWhitespace).map(String.init)
        var fields = zip(texts, Self.ranges).compactMap { Self.values($0, in: $1) }
        guard texts.count == 5, fields.count == 5 else { return nil }
        // Sunday is both 0 and 7.
        fields[4] = Set(fields[4].map { $0 % 7 })
        self.fields = fields
        (isDayOpen, isWeekdayOpen) = (texts[2].hasPrefix("*"), texts[4].hasPrefix("*"))
    }

    /// Parses a list of `*`, numbers and ranges, each optionally with a step.
    private static func values(_ field: String, in range: ClosedRange<Int>) -> Set<Int>? {
        var values: Set<Int> = []
        for part in field.split(separator: ",", omittingEmptySubsequences: false) {
            let halves = part.split(separator: "/", omittingEmptySubsequences: false)
            guard halves.count <= 2 else { return nil }
            let step = halves.count == 2 ? Int(halves[1]) : 1
            guard let step, step > 0 else { return nil }
            let span: ClosedRange<Int>
            if halves[0] == "*" {
                span = range
            } else {
                let ends = halves[0].split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
                guard ends.count <= 2, let first = ends[0], range.contains(first) else { return nil }
                let last = ends.count == 2 ? ends[1] : halves.count == 2 ? range.upperBound : first
                guard let last, range.contains(last), first <= last else { return nil }
                span = first...last
            }
            values.formUnion(stride(from: span.lowerBound, through: span.upperBound, by: step))
        }
        return values.isEmpty ? nil : values
    }

    /// Returns whether a job runs in a minute.
    /// - Parameter minute: the number of the minute since 1970.
    public func includes(minute: Int64) -> Bool {
        let ofDay = Int(minute - minute.quotientRounded(by: 1_440) * 1_440)
        let day = minute.quotientRounded(by: 1_440)
        guard fields[0].contains(ofDay % 60), fields[1].contains(ofDay / 60) else { return false }
        let date = Self.date(ofDay: day)
        guard fields[3].contains(date.month) else { return false }
        // 1970 began on a Thursday.
        let weekday = Int((day % 7 + 7 + 4) % 7)
        let isDay = fields[2].contains(date.day)
        let isWeekday = fields[4].contains(weekday)
        return isDayOpen || isWeekdayOpen ? isDay && isWeekday : isDay || isWeekday
    }

    /// Returns the month, and the day of the month, of a day counted from 1970.
    private static func date(ofDay day: Int64) -> (month: Int, day: Int) {
        // Years begin in March here, so that a leap day is the last day of a year.
        let shifted = day + 719_468
        let era = shifted.quotientRounded(by: 146_097)
        let ofEra = shifted - era * 146_097
        let year = (ofEra - ofEra / 1_460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * year + year / 4 - year / 100)
        let month = (5 * ofYear + 2) / 153
        return (Int(month < 10 ? month + 3 : month - 9), Int(ofYear - (153 * month + 2) / 5 + 1))
    }
}

extension Int64 {
    fileprivate func quotientRounded(by divisor: Int64) -> Int64 {
        self >= 0 ? self / divisor : -((-self + divisor - 1) / divisor)
    }
}
