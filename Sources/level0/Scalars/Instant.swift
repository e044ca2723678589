/// A point in time in whole milliseconds since 1970-01-01T00:00:00Z, the precision of every stamp on the wire.
///
/// The proleptic Gregorian calendar is used throughout. Only the years 0001 to 9999 have a text form.
public struct Instant: Sendable, Hashable, Comparable {
    /// Milliseconds since the epoch; negative before 1970.
    public let milliseconds: Int64

    /// Creates an instant from milliseconds since the epoch.
    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// Orders earlier instants first.
    public static func < (left: Instant, right: Instant) -> Bool {
        left.milliseconds < right.milliseconds
    }

    /// The number of bytes of the wire form `2026-11-21T12:00:00.123Z`.
    public static let wireLength = 24

    /// The first instant with a text form.
    public static let first = Instant(milliseconds: earliest)
    /// The last instant with a text form.
    public static let last = Instant(milliseconds: latest)

    static let earliest: Int64 = -62_135_596_800_000  // 0001-01-01T00:00:00.000Z
    static let latest: Int64 = 253_402_300_799_999  // 9999-12-31T23:59:59.999Z

    /// The calendar fields in UTC.
    var fields: (year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int, millisecond: Int) {
        // Counted from the earliest, so that no value is negative and divisions compile to multiplications.
        let sinceEarliest = UInt64(min(max(milliseconds, Self.earliest), Self.latest) - Self.earliest)
        let days = UInt32(truncatingIfNeeded: sinceEarliest / 86_400_000)
        let rest = UInt32(truncatingIfNeeded: sinceEarliest % 86_400_000)
        // Days since 0000-03-01 in 400-year eras, so that the leap day is the last of its year.
        let shifted = days &+ 306
        let era = shifted / 146_097
        let dayOfEra = shifted &- era &* 146_097
        let yearOfEra = (dayOfEra &- dayOfEra / 1_460 &+ dayOfEra / 36_524 &- dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra &- (365 &* yearOfEra &+ yearOfEra / 4 &- yearOfEra / 100)
        let shiftedMonth = (5 &* dayOfYear &+ 2) / 153
        let day = dayOfYear &- (153 &* shiftedMonth &+ 2) / 5 &+ 1
        let month = shiftedMonth < 10 ? shiftedMonth &+ 3 : shiftedMonth &- 9
        let year = yearOfEra &+ era &* 400 &+ (month <= 2 ? 1 : 0)
        let seconds = rest / 1_000
        return (
            Int(year), Int(month), Int(day), Int(seconds / 3_600), Int(seconds / 60 % 60), Int(seconds % 60),
            Int(rest &- seconds &* 1_000)
        )
    }

    /// The wire form, always with three fraction digits and `Z`: the only form that every client parses.
    public var wireBytes: InlineArray<24, UInt8> {
        let (year, month, day, hour, minute, second, millisecond) = fields
        func tens(_ value: Int) -> UInt8 { 48 &+ UInt8(truncatingIfNeeded: UInt(bitPattern: value) / 10) }
        func ones(_ value: Int) -> UInt8 { 48 &+ UInt8(truncatingIfNeeded: UInt(bitPattern: value) % 10) }
        let (century, yearOfCentury) = (year / 100, year % 100)
        return [
            tens(century), ones(century), tens(yearOfCentury), ones(yearOfCentury), UInt8(ascii: "-"),
            tens(month), ones(month), UInt8(ascii: "-"), tens(day), ones(day), UInt8(ascii: "T"),
            tens(hour), ones(hour), UInt8(ascii: ":"), tens(minute), ones(minute), UInt8(ascii: ":"),
            tens(second), ones(second), UInt8(ascii: "."),
            tens(millisecond / 10), ones(millisecond / 10), ones(millisecond), UInt8(ascii: "Z"),
        ]
    }

    /// Appends the wire form.
    public func append(to bytes: inout [UInt8]) {
        let wire = wireBytes
        unsafe wire.span.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
    }

    /// The wire form as text.
    public var wireText: String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.wireLength)
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
