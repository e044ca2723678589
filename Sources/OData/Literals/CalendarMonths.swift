extension Instant {
    /// The same time of day that many months earlier. If that month is too short, on its last day; never before year 1.
    public func earlier(byMonths months: Int) -> Instant {
        let (year, month, day, _, _, _, _) = fields
        let timeOfDay = ((milliseconds % 86_400_000) + 86_400_000) % 86_400_000
        let (total, isTooEarly) = (year * 12 + month - 1).subtractingReportingOverflow(months)
        guard !isTooEarly, total >= 12 else { return Instant(milliseconds: Self.earliest) }
        let wanted = (year: total / 12, month: total % 12 + 1)
        let lastDay = Self.daysIn(month: wanted.month, of: wanted.year)
        let days = Self.daysSinceEpoch(year: wanted.year, month: wanted.month, day: min(day, lastDay))
        return Instant(milliseconds: days * 86_400_000 + timeOfDay)
    }

    /// So many milliseconds earlier, but never before year 1, which is the first that can be written.
    public func earlier(byMilliseconds milliseconds: Int64) -> Instant {
        let (difference, isTooEarly) = self.milliseconds.subtractingReportingOverflow(milliseconds)
        return Instant(milliseconds: isTooEarly ? Self.earliest : max(difference, Self.earliest))
    }
}
