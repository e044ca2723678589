/// A time of day without a date, in whole milliseconds since midnight.
public struct TimeOfDay: Sendable, Hashable {
    /// At least 0 and less than 86,400,000.
    public let milliseconds: Int

    /// Parses `hh:mm`, `hh:mm:ss` or `hh:mm:ss.fff`. A fraction may have any length and is truncated to milliseconds.
    /// - Returns: nil if the text has another form or names a time that does not exist.
    public init?(_ text: some StringProtocol) {
        // A date is put in front, so that there is only one parser of times.
        guard text.utf8.allSatisfy({ (48...57).contains($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") }),
            let instant = Instant("1970-01-01T\(text)")
        else { return nil }
        milliseconds = Int(instant.milliseconds)
    }

    /// The form on the wire and in stores: `10:15:30.123`.
    public var wireText: String {
        String(Instant(milliseconds: Int64(milliseconds)).wireText.dropFirst(11).dropLast())
    }
}

extension Instant {
    /// Parses a day, `2026-11-21`, as midnight UTC.
    /// - Returns: nil if the text has another form or names a day that does not exist.
    public init?(day text: some StringProtocol) {
        guard text.utf8.count == 10 else { return nil }
        self.init(text)
    }

    /// The day in UTC, as `2026-11-21`.
    public var dayText: String { String(wireText.prefix(10)) }

    /// Whether the instant is midnight UTC.
    public var isMidnight: Bool { milliseconds.isMultiple(of: 86_400_000) }
}
