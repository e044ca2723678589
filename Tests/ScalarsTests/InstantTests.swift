import Scalars
import Testing

@Suite("Instants")
struct InstantTests {
    @Test(
        arguments: [
            ("1970-01-01T00:00:00.000Z", 0), ("1969-12-31T23:59:59.999Z", -1),
            ("2026-11-21T12:00:00.123Z", 1_795_262_400_123),
            ("0001-01-01T00:00:00.000Z", -62_135_596_800_000), ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
            ("2000-02-29T00:00:00.000Z", 951_782_400_000), ("1900-03-01T00:00:00.000Z", -2_203_891_200_000),
        ] as [(String, Int64)])
    func `the wire form is read and written`(text: String, milliseconds: Int64) {
        #expect(Instant(text) == Instant(milliseconds: milliseconds))
        #expect(Instant(milliseconds: milliseconds).wireText == text)
        #expect(text.utf8.count == Instant.wireLength)
    }

    @Test func `the wire form is read as what was written, in every year`() {
        let (first, last): (Int64, Int64) = (-62_135_596_800_000, 253_402_300_799_999)
        for milliseconds in stride(from: first, through: last, by: 13 * 86_400_000 + 3_723_017) {
            let text = Instant(milliseconds: milliseconds).wireText
            #expect(Instant(text) == Instant(milliseconds: milliseconds), "\(text)")
        }
        #expect(Instant(milliseconds: .min).wireText == "0001-01-01T00:00:00.000Z")
        #expect(Instant(milliseconds: .max).wireText == "9999-12-31T23:59:59.999Z")
    }

    @Test(arguments: [
        ("2026-11-21", "2026-11-21T00:00:00.000Z"), ("2026-11-21T12:34", "2026-11-21T12:34:00.000Z"),
        ("2026-11-21 12:34:56", "2026-11-21T12:34:56.000Z"), ("2026-11-21t12:34:56z", "2026-11-21T12:34:56.000Z"),
        ("2026-11-21T12:34:56.1Z", "2026-11-21T12:34:56.100Z"),
        ("2026-11-21T12:34:56.9999999Z", "2026-11-21T12:34:56.999Z"),
        ("2026-11-21T12:34:56.1234567890123Z", "2026-11-21T12:34:56.123Z"),
        ("2026-11-21T00:34:56+01:30", "2026-11-20T23:04:56.000Z"),
        ("2026-11-21T00:34:56-0130", "2026-11-21T02:04:56.000Z"),
        ("2026-11-21T00:34:56 01:30", "2026-11-20T23:04:56.000Z"),
        ("2024-02-29T00:00:00Z", "2024-02-29T00:00:00.000Z"),
    ])
    func `the forms of all clients are read, and cut to milliseconds`(text: String, wireText: String) {
        #expect(Instant(text)?.wireText == wireText)
    }

    @Test(arguments: [
        "", "2026", "2026-11", "2026-13-01", "2026-00-01", "2026-11-00", "2026-02-29", "1900-02-29", "2026-11-31",
        "0000-01-01", "2026-11-21T", "2026-11-21T24:00:00Z", "2026-11-21T12:60:00Z", "2026-11-21T12:00:60Z",
        "2026-11-21T12:00:00.Z", "2026-11-21T12:00:00+15:00", "2026-11-21T12:00:00+01:60", "2026-11-21T12:00:00Zx",
        "2026-11-21T1:00:00Z", " 2026-11-21", "2026-11-21 ", "+2026-11-21", "２０２６-11-21", "0001-01-01T00:00:00+01:00",
        "9999-12-31T23:59:59-01:00", "12/31/2026", "Sat, 21 Nov 2026 12:00:00 GMT",
    ])
    func `what is no date or does not exist is refused`(text: String) {
        #expect(Instant(text) == nil)
    }

    @Test func `what lies beyond the years that can be written is written as their end`() {
        #expect(Instant(milliseconds: .max).wireText == "9999-12-31T23:59:59.999Z")
        #expect(Instant(milliseconds: .min).wireText == "0001-01-01T00:00:00.000Z")
    }
}
