import HTTPModel
import Testing

@testable import HTTPServer

@Suite("Size limits")
struct SizeLimitTests {
    static var limits: ServerLimits {
        var limits = ServerLimits()
        limits.requestLineBytes = 40
        limits.headerSectionBytes = 100
        limits.fieldCount = 5
        limits.bodyBytes = 10
        return limits
    }

    @Test func `the defaults are those that are documented`() {
        let limits = ServerLimits()
        #expect(limits.requestLineBytes == 65_536)
        #expect(limits.headerSectionBytes == 32_768)
        #expect(limits.fieldCount == 100)
        #expect(limits.bodyBytes == 1_048_576)
        #expect(limits.connectionCount == 10_000)
        #expect(limits.addressConnectionCount == 1_000)
        #expect(limits.sendBytesPerWindow == 61_440)
        #expect(limits.bodyBytesPerWindow == 61_440)
        #expect(limits.window == .seconds(60))
        #expect(limits.headerTime == .seconds(10))
        #expect(limits.idleTime == .seconds(75))
        #expect(limits.sendStallTime == .seconds(30))
        #expect(limits.drainTime == .seconds(30))
        #expect(limits.drainRestTime == .seconds(3))
    }

    @Test(arguments: [(40, false), (41, true)]) func `a request line may be just as long`(length: Int, isFault: Bool) {
        let line = "GET /" + String(repeating: "a", count: length - 14) + " HTTP/1.1"
        expect(line + "\r\nHost: h\r\n\r\n", isFault ? .requestLineTooLong(limit: 40) : nil)
    }

    @Test(arguments: [(100, false), (101, true)]) func `a header section may be just as large`(size: Int, isFault: Bool)
    {
        // Host: h CR LF, A: ... CR LF, CR LF.
        let field = "A: " + String(repeating: "a", count: size - 9 - 2 - 3 - 2)
        expect("GET / HTTP/1.1\r\nHost: h\r\n\(field)\r\n\r\n", isFault ? .fieldsTooLarge(limit: 100) : nil)
    }

    @Test(arguments: [(5, false), (6, true)]) func `there may be just as many fields`(count: Int, isFault: Bool) {
        let fields = String(repeating: "A: b\r\n", count: count - 1)
        expect("GET / HTTP/1.1\r\nHost: h\r\n\(fields)\r\n", isFault ? .tooManyFields(limit: 5) : nil)
    }

    @Test(arguments: [(3, false), (4, true)]) func `trailers count as fields`(count: Int, isFault: Bool) {
        let trailers = String(repeating: "A: b\r\n", count: count)
        expect(
            "PUT / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\(trailers)\r\n",
            isFault ? .tooManyFields(limit: 5) : nil)
    }

    @Test func `trailers count as header section`() {
        let trailer = "A: " + String(repeating: "a", count: 70)
        expect(
            "PUT / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\(trailer)\r\n\r\n",
            .fieldsTooLarge(limit: 100))
    }

    @Test func `each request of a connection may be as large as the first`() {
        let fields = String(repeating: "A: \(String(repeating: "a", count: 15))\r\n", count: 4)
        let request = "GET / HTTP/1.1\r\nHost: h\r\n\(fields)\r\n"
        let decoding = Decoding(String(repeating: request, count: 3), limits: Self.limits)
        #expect(decoding.fault == nil)
        #expect(decoding.requests.count == 3)
    }

    @Test func `a line without an end is refused before it ends`() {
        let endless = String(repeating: "a", count: 200)
        expect(endless, .requestLineTooLong(limit: 40))
        expect("GET / HTTP/1.1\r\nA: " + endless, .fieldsTooLarge(limit: 100))
    }

    @Test(arguments: ["11", "18446744073709551617", "9223372036854775808", "99999999999999999999999999999999"])
    func `a declared body over the limit is refused without its bytes`(length: String) {
        expect("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: \(length)\r\n\r\n", .bodyTooLarge(limit: 10))
        expect(
            "PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: \(length)\r\nExpect: 100-continue\r\n\r\n",
            .bodyTooLarge(limit: 10))
    }

    @Test func `a body may be just as large`() {
        expect("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\n0123456789", nil)
        let chunked = "PUT / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
        expect(chunked + "5\r\n01234\r\n5\r\n56789\r\n0\r\n\r\n", nil)
    }

    @Test(arguments: ["B\r\n", "5\r\n01234\r\n6\r\n", "FFFFFFFFFFFFFFF\r\n"])
    func `a chunked body over the limit is refused at the chunk that goes over`(chunks: String) {
        let head = "PUT / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
        expect(head + chunks, .bodyTooLarge(limit: 10))
    }

    @Test func `an endless chunk extension is refused`() {
        let head = "PUT / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
        let decoding = Decoding(head + "1;" + String(repeating: "x", count: 2_000))
        #expect(decoding.fault == .malformed("A chunk-size line is too long."))
    }

    @Test func `chunk extensions count as header section`() {
        let head = "PUT / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
        let chunk = "1;" + String(repeating: "x", count: 20) + "\r\na\r\n"
        expect(head + chunk + "0\r\n\r\n", nil)
        expect(head + chunk + chunk + chunk, .fieldsTooLarge(limit: 100))
    }

    private func expect(_ text: String, _ fault: HTTPFault?, _ location: SourceLocation = #_sourceLocation) {
        for decoding in [
            Decoding(text, limits: Self.limits), Decoding(Array(text.utf8).map { [$0] }, limits: Self.limits),
        ] {
            #expect(decoding.fault == fault, sourceLocation: location)
            #expect(decoding.requests.count == (fault == nil ? 1 : 0), sourceLocation: location)
        }
    }
}
