import HTTPModel
import Testing

@testable import HTTPServer

@Suite("Malformed requests")
struct MalformedRequestTests {
    @Test(arguments: [
        "GET  / HTTP/1.1", "GET / HTTP/1.1 ", " GET / HTTP/1.1", "GET /", "GET", "GET /\tHTTP/1.1", "GET / a HTTP/1.1",
        "GET /\u{1} HTTP/1.1", "GET /\u{7F} HTTP/1.1", "GET /\r HTTP/1.1", "G(T / HTTP/1.1", "GÉT / HTTP/1.1",
        "GET / http/1.1", "GET / HTTP/1", "GET / HTTP/1.", "GET / HTTP/1.10", "GET / HTTP/1,1", "GET / HTTP/a.1",
        "GET / XTTP/1.1", "\u{16}\u{3}\u{1}", "\u{0}GET / HTTP/1.1", "\r\n\r\nGET / HTTP/1.1", "\rGET / HTTP/1.1",
        "GET  HTTP/1.1",
    ])
    func `a request line that breaks the grammar is 400`(line: String) {
        expectMalformed(line + "\r\nHost: h\r\n\r\n")
    }

    @Test(arguments: [
        "Host : h", " Host: h", "Host: h\r\n folded", "Host: h\r\n\tfolded", "Host", ": h", "Ho st: h",
        "Host:: h\r\nHost: h",
        "Host: h\r\nA: b\rc", "Host: h\r\nA: b\u{0}c", "Host: h\r\nA: \u{1}", "Host: h\r\nA: b\u{7F}",
        "Host: h\r\nA\u{0}: b",
        "Host: h\r\nÄ: b", "Host: h\r\nA(b): c", "Host: h\r\n\r: x", "Host: h\r\nA: b\r",
    ])
    func `a field that breaks the grammar is 400`(fields: String) {
        expectMalformed("GET / HTTP/1.1\r\n\(fields)\r\n\r\n")
    }

    @Test(arguments: [
        "GET / HTTP/1.1\nHost: h\r\n\r\n", "GET / HTTP/1.1\r\nHost: h\n\r\n", "GET / HTTP/1.1\r\nHost: h\r\n\n",
        "\nGET / HTTP/1.1\r\nHost: h\r\n\r\n",
    ])
    func `a line that ends in LF alone is 400`(text: String) {
        expectMalformed(text)
    }

    @Test(arguments: [
        "GET / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nHost: h\r\nhost: h\r\n\r\n",
        "GET / HTTP/1.0\r\nHost: h\r\nHost: i\r\n\r\n", "GET / HTTP/1.1\r\nHost: a b\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a,b\r\n\r\n", "GET / HTTP/1.1\r\nHost: a@b\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n",
    ])
    func `a Host that is missing, repeated or none is 400`(text: String) {
        expectMalformed(text)
    }

    @Test(arguments: [
        "Content-Length: ", "Content-Length: +5", "Content-Length: -5", "Content-Length: 5, 5", "Content-Length: 5 5",
        "Content-Length: 0x5", "Content-Length: 5a", "Content-Length: ٣", "Content-Length: 5\r\nContent-Length: 6",
        "Content-Length: 5\r\nTransfer-Encoding: chunked", "Transfer-Encoding: chunked\r\nContent-Length: 5",
        "Transfer-Encoding: chunked, chunked", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
        "Transfer-Encoding: ", "Transfer-Encoding: ,",
    ])
    func `framing in doubt is 400`(fields: String) {
        expectMalformed("POST / HTTP/1.1\r\nHost: h\r\n\(fields)\r\n\r\n")
    }

    @Test(arguments: [
        "\r\n", "g\r\n", "-1\r\n", "+1\r\n", "0x1\r\n", " 1\r\n", "1 \r\n", "1 x\r\n", "1;\u{1}\r\n", "1\n",
        "1;a\rb\r\n",
        "1\r\nab", "1\r\na\n", "1\r\naX\r\n", "FFFFFFFFFFFFFFFFF\r\n", "00000000000000001\r\n",
        "0\r\nbad trailer\r\n", "0\r\n : x\r\n", "0\r\n\n", ";x\r\n",
    ])
    func `a chunk that breaks the grammar is 400`(chunks: String) {
        expectMalformed("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n\(chunks)\r\n\r\n")
    }

    @Test func `Transfer-Encoding in HTTP 1-0 is 400`() {
        expectMalformed("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")
    }

    @Test(arguments: [
        ("gzip", "gzip"), ("gzip, chunked", "gzip"), ("identity", "identity"), ("chunked;q=1", "chunked;q=1"),
    ])
    func `another coding is 501 and named`(value: String, named: String) {
        let text = "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: \(value)\r\n\r\n"
        #expect(Decoding(text).fault == .unsupportedCoding(named))
    }

    @Test(arguments: ["HTTP/2.0", "HTTP/0.9", "HTTP/3.1"])
    func `another major version is 505`(version: String) {
        #expect(Decoding("GET / \(version)\r\nHost: h\r\n\r\n").fault == .unsupportedVersion)
    }

    @Test func `another expectation is 417 and named`() {
        let text = "PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nExpect: 200-ok\r\n\r\n"
        #expect(Decoding(text).fault == .unmetExpectation("200-ok"))
    }

    @Test func `a decoder that failed stays failed`() {
        let good = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"
        let decoding = Decoding([Array("bad\r\n".utf8), Array(good.utf8)])
        #expect(decoding.requests.isEmpty)
        #expect(decoding.fault != nil)
    }

    /// The fault comes whether the bytes come at once or one at a time, and no request comes out.
    private func expectMalformed(_ text: String, _ location: SourceLocation = #_sourceLocation) {
        for decoding in [Decoding(text), Decoding(Array(text.utf8).map { [$0] })] {
            #expect(decoding.requests.isEmpty, sourceLocation: location)
            guard case .malformed(let reason)? = decoding.fault else {
                Issue.record("\(String(describing: decoding.fault))", sourceLocation: location)
                continue
            }
            #expect(reason.hasSuffix("."), sourceLocation: location)
        }
    }
}
