import Foundation
import Testing
import WireTesting

@Suite("Behind a proxy that packs answers and makes their entity tags weak", .ownThread)
struct PackingProxyTests {
    private static func site(_ port: UInt16, before server: UInt16) -> String {
        """
        server {
          listen 127.0.0.1:\(port);
          gzip on; gzip_min_length 1; gzip_types application/json;
          location / {
            proxy_http_version 1.1; proxy_set_header Connection "";
            proxy_pass http://127.0.0.1:\(server);
          }
        }
        """
    }

    @Test(
        .enabled(if: Balancer.program != nil, "nginx is not installed"), arguments: ["1.0.0", "2.0.0", "3.0.0"])
    func `a version that comes back as it was left is the row's`(of generation: String) async throws {
        let daemon = try Daemon(Workplace(["zumod.yaml": ""]))
        let (balancer, client) = try await Balancer.started {
            try Balancer(site: Self.site($0, before: daemon.port), on: $0)
        }
        defer { withExtendedLifetime(balancer) {} }
        let version = generation == "1.0.0" ? "X-ZUMO-APPLICATION: key" : "ZUMO-API-VERSION: \(generation)"
        let fields = [version, "Accept-Encoding: gzip"]
        // v1 answers a version to who asks for it.
        let asked = generation == "1.0.0" ? "?__systemProperties=version" : ""
        let text = String(repeating: "tea ", count: 50)
        let path = "/tables/TodoItem/k\(asked)"
        let made = try client.exchange("POST", "/tables/TodoItem", #"{"id":"k","text":"\#(text)"}"#, fields)
        #expect(made.code == 201)
        // nginx packs no 201.
        var tag = try #require(client.exchange("GET", path, "", fields)["ETag"])
        let method = generation == "3.0.0" ? "PUT" : "PATCH"
        let first = tag
        for wraps in 0..<3 {
            #expect(tag.hasPrefix("W/"), "nginx left it as it was: \(tag)")
            func asSent(_ tag: String) -> String {
                // SDKs take the field's value for the version.
                wraps == 0 ? tag : "\"\(wraps == 1 ? tag.replacing("\"", with: "\\\"") : tag)\""
            }
            let body = #"{"id":"k","text":"\#(text)\#(wraps)"}"#
            let done = try client.exchange(method, path, body, fields + ["If-Match: \(asSent(tag))"])
            #expect(done.code == 200, "\(asSent(tag)): \(done.text)")
            let stale = try client.exchange(method, path, body, fields + ["If-Match: \(asSent(first))"])
            #expect(stale.code == 412, "\(asSent(first))")
            tag = try #require(done["ETag"])
        }
        #expect(daemon.stop() == 0)
    }
}
