import Testing

@testable import TableAPI

@Suite struct `Texts that v1 takes for dates` {
    @Test(arguments: [
        ("2014-10-10T08:30:00Z", "2014-10-10T08:30:00.000Z"), ("2014-10-10T08:30:00.120Z", "2014-10-10T08:30:00.120Z"),
        ("/Date(1412929800123)/", "2014-10-10T08:30:00.123Z"), ("/Date(-1)/", "1969-12-31T23:59:59.999Z"),
        ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"), ("9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"),
    ])
    func `are strict times in UTC, and milliseconds since 1970`(_ text: String, _ wireText: String) {
        #expect(ServicesDate(text)?.wireText == wireText)
    }

    @Test(arguments: [
        "2014-10-10", "2014-10-10T08:30Z", "2014-10-10T08:30:00", "2014-10-10T08:30:00+00:00", "2014-10-10 08:30:00Z",
        "2014-10-10t08:30:00z", "2014-10-10T08:30:00.1Z", "2014-10-10T08:30:00.1234567Z", "2014-02-30T08:30:00Z",
        "/Date()/", "/Date(1412929800123+0100)/", "/Date(+1)/", "/Date(01)/", "/Date(1.5)/", "Date(1)",
        "/Date(999999999999999)/", "tea", "",
    ])
    func `are no others`(_ text: String) {
        #expect(ServicesDate(text) == nil)
    }
}
