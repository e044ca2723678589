import ServerConfiguration
import Testing

@testable import ServerApp

@Suite("The health probe")
struct HealthProbeTests {
    @Test(arguments: ["", "https://", "a:80", "http://a:0"])
    func `what is no such URL is refused`(url: String) {
        #expect { try HealthProbe.ask(url) } throws: { error in
            if case .url(let text)? = error as? HealthProbe.Fault { text == url } else { false }
        }
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
