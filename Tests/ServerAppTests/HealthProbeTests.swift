import Testing

@testable import ServerApp

@Suite("The health probe")
struct HealthProbeTests {
    @Test(arguments: [
        ("http://127.0.0.1:8080", "127.0.0.1", "8080"), ("http://localhost", "localhost", "80"),
        ("HTTP://[::1]:81/readyz", "::1", "81"), ("http://a:1/", "a", "1"),
    ])
    func `a URL gives host and port`(url: String, host: String, port: String) throws {
        let address = try #require(HealthProbe.address(in: url))
        #expect(address == (host, port))
    }

    @Test(arguments: [
        "", "https://a", "a:80", "http://", "http://:80", "http://a:", "http://a:x", "http://[::1", "http://a:0",
    ])
    func `what is no such URL is refused`(url: String) {
        #expect(HealthProbe.address(in: url) == nil)
    }

    @Test(arguments: [
        ("0.0.0.0", "http://127.0.0.1:8080"), ("::", "http://[::1]:8080"), ("fe80::1", "http://[fe80::1]:8080"),
        ("localhost", "http://localhost:8080"),
    ])
    func `without a URL this machine is asked`(host: String, url: String) {
        var configuration = Configuration()
        configuration.host = host
        #expect(configuration.localURL == url)
    }
}
