import Testing
import Webhooks

@Suite("Addresses of plain HTTP")
struct HTTPAddressTests {
    struct Sample: Sendable {
        let url: String
        let host: String
        let port: String
        let target: String
    }

    private static let samples = [
        Sample(url: "http://127.0.0.1:8080", host: "127.0.0.1", port: "8080", target: "/"),
        Sample(url: "http://localhost", host: "localhost", port: "80", target: "/"),
        Sample(url: "HTTP://[::1]:81/readyz", host: "::1", port: "81", target: "/readyz"),
        Sample(url: "http://a:1/", host: "a", port: "1", target: "/"),
        Sample(url: "http://a?x=1#part", host: "a", port: "80", target: "/?x=1"),
        Sample(url: "http://a/b/c?d=e@f", host: "a", port: "80", target: "/b/c?d=e@f"),
    ]

    @Test(arguments: samples)
    func `a URL gives host, port and target`(sample: Sample) throws {
        let address = try HTTPAddress(sample.url)
        #expect(address.host == sample.host && address.port == sample.port && address.target == sample.target)
    }

    @Test(arguments: [
        "", "a:80", "http://", "http://:80", "http://a:", "http://a:x", "http://[::1", "http://a:0", "ftp://a",
        "http://user:word@a/", "http://a/b c", "http://a/\r\nX: y",
    ])
    func `what is no such URL is refused`(url: String) {
        #expect(throws: HTTPAddress.Fault.malformed) { try HTTPAddress(url) }
    }

    @Test func `a URL with TLS is told apart`() {
        #expect(throws: HTTPAddress.Fault.encrypted) { try HTTPAddress("https://a/b") }
    }

    @Test func `the Host field names a port that is not the usual one`() throws {
        #expect(try HTTPAddress("http://[::1]:81/").authority == "[::1]:81")
        #expect(try HTTPAddress("http://a:80/").authority == "a")
    }
}
