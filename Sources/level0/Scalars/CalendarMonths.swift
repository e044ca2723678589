extension Instant {
    /// Returns the same time of day that many months later, or earlier if negative. If that month is too short, on its
    /// last day; nil outside the calendar.
    public func moved(byMonths months: Int64) -> Instant? {
        let (year, month, day, _, _, _, _) = fields
        let timeOfDay = ((milliseconds % 86_400_000) + 86_400_000) % 86_400_000
        let (total, isTooMuch) = Int64(year * 12 + month - 1).addingReportingOverflow(months)
        guard !isTooMuch, (12..<10_000 * 12).contains(total) else { return nil }
        let wanted = (year: Int(total) / 12, month: Int(total) % 12 + 1)
        let lastDay = Self.daysIn(month: wanted.month, of: wanted.year)
        let days = Self.daysSinceEpoch(year: wanted.year, month: wanted.month, day: min(day, lastDay))
        return Instant(milliseconds: days * 86_400_000 + timeOfDay)
    }

    /// Returns the instant that many milliseconds later, or earlier if negative; nil outside the calendar.
    public func moved(byMilliseconds milliseconds: Int64) -> Instant? {
        let (sum, isTooMuch) = self.milliseconds.addingReportingOverflow(milliseconds)
        guard !isTooMuch, (Self.earliest...Self.latest).contains(sum) else { return nil }
        return Instant(milliseconds: sum)
    }

    /// Returns the same time of day that many months earlier, on the last day of a shorter month; never before year 1.
    public func earlier(byMonths months: Int) -> Instant {
        moved(byMonths: -Int64(months)) ?? .first
    }

    /// Returns the instant that many milliseconds earlier, limited to the calendar's years 1 to 9999.
    public func earlier(byMilliseconds milliseconds: Int64) -> Instant {
        moved(byMilliseconds: -milliseconds) ?? (milliseconds > 0 ? .first : .last)
    }

    /// Returns the instant that many whole seconds earlier, but not before the first one.
    public func earlier(by duration: Duration) -> Instant {
        earlier(byMilliseconds: duration.components.seconds * 1_000)
    }
}
