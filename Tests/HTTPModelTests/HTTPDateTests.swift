import HTTPModel
import Testing

@Suite("HTTP date")
struct HTTPDateTests {
    @Test(arguments: [
        (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
        (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
        (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
        (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
        (951_868_799, "Tue, 29 Feb 2000 23:59:59 GMT"),
        (951_868_800, "Wed, 01 Mar 2000 00:00:00 GMT"),
        (1_704_067_199, "Sun, 31 Dec 2023 23:59:59 GMT"),
        (2_147_483_648, "Tue, 19 Jan 2038 03:14:08 GMT"),
        (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
    ])
    func `seconds become the date of RFC 9110`(seconds: Int64, text: String) {
        #expect(HTTPDate.text(secondsSinceEpoch: seconds) == text)
    }

    /// 2026-11-21T12:00:00Z
    private static let now: Int64 = 1_795_262_400

    @Test(arguments: [
        ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
        ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
        ("Sun Nov  6 08:49:37 1994", 784_111_777),
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
        ("Wed, 31 Dec 1969 23:59:59 GMT", -1),
        ("Tue, 29 Feb 2000 23:59:59 GMT", 951_868_799),
        ("Wed, 01 Mar 2000 00:00:00 GMT", 951_868_800),
        ("Tuesday, 19-Jan-38 03:14:08 GMT", 2_147_483_648),
        ("Mon, 01 Mar 2100 00:00:00 GMT", 4_107_542_400),
    ])
    func `the three forms of RFC 9110 are read`(text: String, seconds: Int64) {
        #expect(HTTPDate.secondsSinceEpoch(from: text, now: Self.now) == seconds)
    }

    @Test(arguments: [
        "", "yesterday", "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 06 Foo 1994 08:49:37 GMT",
        "Sun, 32 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:49 GMT",
        "2026-11-21T12:00:00Z", "Sun, 06 Nov 994 08:49:37 GMT", "Sun, 06 Nov 1994 08:-9:37 GMT",
    ])
    func `other text is no date`(text: String) {
        #expect(HTTPDate.secondsSinceEpoch(from: text, now: Self.now) == nil)
    }
}
