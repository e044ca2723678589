import HTTPModel
import SeedTesting
import Testing

@testable import HTTPServer

@Suite("Request decoder")
struct RequestDecoderTests {
    struct Sample: Sendable, CustomTestStringConvertible {
        var name: String
        var text: String
        var requests: [Decoding.Request]
        var testDescription: String { name }
    }

    static let samples = [
        Sample(
            name: "a plain GET", text: "GET /tables/a?b=c HTTP/1.1\r\nHost: h\r\n\r\n",
            requests: [.init(method: "GET", target: "/tables/a?b=c", fields: ["Host=h"], body: "")]),
        Sample(
            name: "white space around values, an empty value, bytes beyond ASCII",
            text: "GET /é HTTP/1.1\r\nHost:h\r\nA: \t b c\t \r\nB:\r\nC:  \r\nD: é\r\n\r\n",
            requests: [
                .init(method: "GET", target: "/é", fields: ["Host=h", "A=b c", "B=", "C=", "D=é"], body: "")
            ]),
        Sample(
            name: "a counted body and a request after it",
            text: "POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nab\r\ncGET /b HTTP/1.1\r\nHost: h\r\n\r\n",
            requests: [
                .init(method: "POST", target: "/a", fields: ["Host=h", "Content-Length=5"], body: "ab\r\nc"),
                .init(method: "GET", target: "/b", fields: ["Host=h"], body: ""),
            ]),
        Sample(
            name: "a chunked body with an extension and a trailer, and a request after it",
            text: "PATCH /a HTTP/1.1\r\nHost: h\r\ntransfer-encoding: Chunked\r\n\r\n"
                + "3;name=\"v;\"\r\nabc\r\n0a \t;x\r\n0123456789\r\n00\r\nDigest: x\r\n\r\nGET /b HTTP/1.1\r\nHost: h\r\n\r\n",
            requests: [
                .init(
                    method: "PATCH", target: "/a", fields: ["Host=h", "transfer-encoding=Chunked"],
                    body: "abc0123456789"),
                .init(method: "GET", target: "/b", fields: ["Host=h"], body: ""),
            ]),
        Sample(
            name: "an empty chunked body and an empty counted one",
            text: "POST /a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
                + "POST /b HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n",
            requests: [
                .init(method: "POST", target: "/a", fields: ["Host=h", "Transfer-Encoding=chunked"], body: ""),
                .init(method: "POST", target: "/b", fields: ["Host=h", "Content-Length=0"], body: ""),
            ]),
        Sample(
            name: "one empty line before a request", text: "\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n",
            requests: [.init(method: "GET", target: "/", fields: ["Host=h"], body: "")]),
        Sample(
            name: "HTTP/1.0 without and with keep-alive",
            text: "GET / HTTP/1.0\r\n\r\nGET / HTTP/1.0\r\nConnection: x, Keep-Alive\r\n\r\n",
            requests: [
                .init(method: "GET", target: "/", fields: [], body: "", minorVersion: 0, keepsAlive: false),
                .init(
                    method: "GET", target: "/", fields: ["Connection=x, Keep-Alive"], body: "", minorVersion: 0),
            ]),
        Sample(
            name: "a close among other options", text: "GET / HTTP/1.1\r\nHost: h\r\nConnection: te ,CLOSE\r\n\r\n",
            requests: [
                .init(
                    method: "GET", target: "/", fields: ["Host=h", "Connection=te ,CLOSE"], body: "",
                    keepsAlive: false)
            ]),
        Sample(
            name: "an equal Content-Length twice",
            text: "PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\nContent-Length: 02\r\n\r\nab",
            requests: [
                .init(
                    method: "PUT", target: "/", fields: ["Host=h", "Content-Length=2", "Content-Length=02"],
                    body: "ab")
            ]),
        Sample(
            name: "a method of one's own, an absolute target, a later minor version, an empty Host",
            text: "M-SEARCH http://h/a HTTP/1.9\r\nHost:\r\n\r\n",
            requests: [.init(method: "M-SEARCH", target: "http://h/a", fields: ["Host=h"], body: "")]),
        Sample(
            name: "the host of an absolute target in the place of the field",
            text: "GET http://real:8080?a=b HTTP/1.1\r\nA: 1\r\nhOST: other\r\nHostage: x\r\n\r\n",
            requests: [
                .init(
                    method: "GET", target: "http://real:8080?a=b", fields: ["Host=real:8080", "A=1", "Hostage=x"],
                    body: "")
            ]),
    ]

    @Test(arguments: samples) func `a sample is decoded whole`(sample: Sample) {
        let decoding = Decoding(sample.text)
        #expect(decoding.requests == sample.requests)
        #expect(decoding.fault == nil)
        #expect(decoding.endsIdle)
    }

    @Test(arguments: samples) func `a sample split at any byte is decoded alike`(sample: Sample) {
        let bytes = Array(sample.text.utf8)
        for split in 0...bytes.count {
            let decoding = Decoding([bytes[..<split], bytes[split...]])
            #expect(decoding.requests == sample.requests, "split at \(split)")
            #expect(decoding.fault == nil, "split at \(split)")
        }
    }

    @Test(arguments: samples) func `a sample that comes byte by byte is decoded alike`(sample: Sample) {
        let decoding = Decoding(Array(sample.text.utf8).map { [$0] })
        #expect(decoding.requests == sample.requests)
        #expect(decoding.fault == nil)
        #expect(decoding.endsIdle)
    }

    @Test(arguments: samples) func `no beginning of a sample is a fault`(sample: Sample) {
        let bytes = Array(sample.text.utf8)
        for end in 1..<bytes.count {
            #expect(Decoding([bytes[..<end]]).fault == nil, "cut at \(end)")
        }
    }

    @Test(arguments: 1...20) func `damaged samples never stop the decoder`(seed: UInt64) {
        var random = SeededGenerator(state: seed)
        for _ in 0..<300 {
            var bytes = Array(Self.samples.randomElement(using: &random)?.text.utf8 ?? "".utf8)
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: place)
                default: bytes.insert(bytes[Int.random(in: 0..<bytes.count, using: &random)], at: place)
                }
            }
            // Whatever comes of them, it comes of them in any pieces.
            let split = Int.random(in: 0...bytes.count, using: &random)
            let whole = Decoding([bytes])
            let halves = Decoding([bytes[..<split], bytes[split...]])
            #expect(whole.requests == halves.requests)
            #expect((whole.fault == nil) == (halves.fault == nil))
        }
    }

    @Test func `a request is begun from its first byte to its last`() {
        let bytes = Array("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc".utf8)
        for end in 1..<bytes.count {
            #expect(!Decoding([bytes[..<end]]).endsIdle, "cut at \(end)")
        }
        #expect(Decoding([bytes]).endsIdle)
        #expect(Decoding("\r\n").endsIdle)
    }

    @Test(arguments: [
        ("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\nExpect: 100-Continue\r\n\r\n", 1),
        ("PUT / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nExpect: 100-continue\r\n\r\n", 1),
        ("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\na", 0),
        ("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\nExpect: 100-continue\r\n\r\n", 0),
        ("PUT / HTTP/1.0\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n", 0),
        ("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\n", 0),
    ])
    func `100 Continue is sent to clients that wait for it`(text: String, continues: Int) {
        let decoding = Decoding(text)
        #expect(decoding.continues == continues)
        #expect(decoding.fault == nil)
    }
}

/// The same numbers for the same seed, so that a failure can be repeated.
private struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
