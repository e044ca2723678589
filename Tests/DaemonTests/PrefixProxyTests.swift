import Foundation
import Testing
import WireTesting

@Suite("Behind nginx that takes off a part of the path", .ownThread)
struct PrefixProxyTests {
    private static func site(_ port: UInt16, before server: UInt16) -> String {
        """
        server {
          listen 127.0.0.1:\(port);
          location /app/ {
            proxy_pass http://127.0.0.1:\(server)/;
            proxy_set_header X-Forwarded-For $remote_addr;
            proxy_set_header X-Forwarded-Host $host;
            proxy_set_header X-Forwarded-Port $server_port;
            proxy_set_header X-Forwarded-Prefix /app;
          }
        }
        """
    }

    @Test(.enabled(if: Balancer.program != nil, "nginx is not installed"))
    func `locations and links can be followed, whatever the client says of its way`() async throws {
        let daemon = try Daemon(Workplace(["zumod.yaml": "pageSize: 2"]))
        let (balancer, client) = try await Balancer.started {
            try Balancer(site: Self.site($0, before: daemon.port), on: $0)
        }
        defer { withExtendedLifetime(balancer) {} }
        let base = "http://localhost:\(balancer.port)"
        let fields = ["Forwarded: for=203.0.113.9;host=evil.example;proto=https"]
        for id in ["a", "b", "c"] {
            let made = try client.exchange("POST", "/app/tables/TodoItem", #"{"id":"\#(id)"}"#, fields)
            let location = try #require(made["Location"])
            try #require(location == "\(base)/app/tables/TodoItem/\(id)")
            #expect(try client.exchange("GET", String(location.dropFirst(base.count)), "", fields).code == 200)
        }
        let link = try #require(client.exchange("GET", "/app/tables/TodoItem", "", fields)["Link"])
        try #require(link.hasPrefix("\(base)/app/tables/TodoItem?"))
        let next = String(link.dropFirst(base.count).dropLast("; rel=next".count))
        let page = try client.exchange("GET", next, "", fields)
        #expect(page.code == 200 && page.text.contains(#""c""#) && page["Link"] == nil)
        #expect(daemon.stop() == 0)
    }
}
