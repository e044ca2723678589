import Scalars
import Testing

@Suite("Months before an instant")
struct CalendarMonthTests {
    struct Sample: Sendable {
        let start: String
        let months: Int
        let end: String
    }

    private static let samples = [
        Sample(start: "2026-11-21T12:34:56.789Z", months: 0, end: "2026-11-21T12:34:56.789Z"),
        Sample(start: "2026-11-21T12:34:56.789Z", months: 1, end: "2026-10-21T12:34:56.789Z"),
        Sample(start: "2026-01-15T00:00:00.000Z", months: 1, end: "2025-12-15T00:00:00.000Z"),
        Sample(start: "2026-03-31T23:59:59.999Z", months: 1, end: "2026-02-28T23:59:59.999Z"),
        Sample(start: "2024-03-31T00:00:00.000Z", months: 1, end: "2024-02-29T00:00:00.000Z"),
        Sample(start: "2024-02-29T08:00:00.000Z", months: 12, end: "2023-02-28T08:00:00.000Z"),
        Sample(start: "1970-01-01T00:00:00.001Z", months: 1, end: "1969-12-01T00:00:00.001Z"),
        Sample(start: "1969-12-31T23:59:59.999Z", months: 12, end: "1968-12-31T23:59:59.999Z"),
        Sample(start: "2026-11-21T00:00:00.000Z", months: 1_000_000_000, end: "0001-01-01T00:00:00.000Z"),
        Sample(start: "2026-11-21T00:00:00.000Z", months: .max, end: "0001-01-01T00:00:00.000Z"),
    ]

    @Test(arguments: samples)
    func `keep the time of day and end at the month's last day`(sample: Sample) throws {
        let start = try #require(Instant(sample.start))
        #expect(start.earlier(byMonths: sample.months).wireText == sample.end)
    }

    @Test func `milliseconds never go before the first year`() throws {
        let start = try #require(Instant("2026-11-21T00:00:00.001Z"))
        #expect(start.earlier(byMilliseconds: 2).wireText == "2026-11-20T23:59:59.999Z")
        #expect(start.earlier(byMilliseconds: .max).wireText == "0001-01-01T00:00:00.000Z")
    }
}
