import Foundation
import Testing
import WireTesting

@Suite("Behind a proxy on the same machine that says for nobody whom it asks for", .ownThread)
struct PlainProxyTests {
    /// A user of the kind that services have; only root starts a program as another.
    private static let service: String? = {
        let accounts = (try? String(contentsOfFile: "/etc/passwd", encoding: .utf8)) ?? ""
        return geteuid() == 0 && FileManager.default.fileExists(atPath: "/usr/bin/setpriv")
            && accounts.contains("\nwww-data:") ? "www-data" : nil
    }()

    private static func strangers(by lines: String, as user: String?) async throws {
        let daemon = try Daemon(Workplace(["zumod.yaml": ""]))
        let (balancer, client) = try await Balancer.started { port in
            try Balancer(
                site: """
                    server {
                      listen 127.0.0.1:\(port);
                      location / { \(lines) proxy_pass http://127.0.0.1:\(daemon.port); }
                    }
                    """, on: port, as: user)
        }
        defer { withExtendedLifetime(balancer) {} }
        for path in ["/metrics", "/openapi.json", "/_/", "/_/api/session"] {
            let code = try client.exchange("GET", path).code
            #expect(code == 401 || code == 403, "\(path): \(code)")
            #expect(try daemon.client().exchange("GET", path).code == 200)
        }
        #expect(try client.exchange("GET", "/tables/TodoItem").code == 200)
        #expect(daemon.stop() == 0)
    }

    @Test(.enabled(if: Balancer.program != nil, "nginx is not installed"))
    func `strangers are not taken for the machine itself`() async throws {
        try await Self.strangers(by: "", as: nil)
    }

    @Test(.enabled(if: Balancer.program != nil && service != nil, "no nginx, or no other user to run it as"))
    func `strangers are not taken for the machine itself where it speaks HTTP 1.1 under a service's account`()
        async throws
    {
        try await Self.strangers(
            by: #"proxy_http_version 1.1; proxy_set_header Connection "";"#, as: Self.service)
    }
}
