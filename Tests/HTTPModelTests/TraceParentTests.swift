import HTTPModel
import Testing

@Suite struct `A traceparent` {
    private static let trace = "0af7651916cd43dd8448eb211c80319c"

    @Test(arguments: [
        "00-\(trace)-b7ad6b7169203331-01", "00-\(trace)-b7ad6b7169203331-00", "01-\(trace)-b7ad6b7169203331-01-more",
        "cc-\(trace)-b7ad6b7169203331-01",
    ])
    func `is taken over as it came`(text: String) throws {
        let parent = try #require(TraceParent(text))
        #expect(parent.text == text)
        #expect(parent.traceID == Self.trace)
    }

    @Test(arguments: [
        "", "00", "00-\(trace)-b7ad6b7169203331", "ff-\(trace)-b7ad6b7169203331-01",
        "00-00000000000000000000000000000000-b7ad6b7169203331-01", "00-\(trace)-0000000000000000-01",
        "00-\(trace)-b7ad6b7169203331-01-more", "00-\(trace.uppercased())-b7ad6b7169203331-01",
        "01-\(trace)-b7ad6b7169203331-01more", "01-\(trace)-b7ad6b7169203331-01-\r\nX: y",
        "00-\(trace)-b7ad6b7169203331-é", "01-\(trace)-b7ad6b7169203331-01-\(String(repeating: "x", count: 500))",
    ])
    func `that is none is no reason to refuse a request`(text: String) {
        #expect(TraceParent(text) == nil)
    }
}
