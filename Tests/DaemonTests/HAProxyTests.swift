import Foundation
import Testing
import WireTesting

/// HAProxy with the file of docker/tls; only addresses and ports are other ones, and it speaks no TLS.
private final class HAProxy {
    let port: UInt16
    private let process = Process()
    private let folder: URL

    static let program = ["/usr/sbin/haproxy", "/usr/bin/haproxy"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    /// - Parameter lines: more for its `backend`.
    init(before server: UInt16, on port: UInt16, _ lines: String = "") throws {
        self.port = port
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docker/tls/haproxy.cfg")
        let site = try String(contentsOf: file, encoding: .utf8)
            .replacing("bind :443 ssl crt /etc/haproxy/zumod.pem alpn h2,http/1.1", with: "bind 127.0.0.1:\(port)")
            .replacing("frontend plain\n    bind :80\n    http-request redirect scheme https code 308\n", with: "")
            .replacing("server zumod 127.0.0.1:8080", with: "\(lines)\n    server zumod 127.0.0.1:\(server)")
        #expect(!site.contains(":443") && !site.contains(":80\n") && !site.contains(":8080"))
        folder = FileManager.default.temporaryDirectory.appending(path: "zumod-haproxy-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(site.utf8).write(to: folder.appending(path: "haproxy.cfg"))
        process.executableURL = URL(filePath: try #require(Self.program))
        process.arguments = ["-db", "-f", folder.appending(path: "haproxy.cfg").path]
        process.standardError = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        try process.run()
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        process.waitForEnd()
        try? FileManager.default.removeItem(at: folder)
    }

    /// One on a port that is free, and a client of it.
    static func started(before server: UInt16, _ lines: String = "") async throws -> (HAProxy, WireClient) {
        for _ in 0..<20 {
            let proxy = try HAProxy(before: server, on: FreePort.next(), lines)
            while proxy.process.isRunning {
                if let client = try? WireClient(port: proxy.port) { return (proxy, client) }
                try await Task.sleep(for: .milliseconds(20))
            }
        }
        throw NoPort()
    }

    private struct NoPort: Error {}
}

@Suite(
    "Behind HAProxy by the recipe", .ownThread, .enabled(if: HAProxy.program != nil, "HAProxy is not installed"))
struct HAProxyTests {
    @Test func `queries may be as long as the server takes them, and bodies are refused by the server`()
        async throws
    {
        let daemon = try Daemon(Workplace(["zumod.yaml": "pageSize: 1\n"]))
        let (proxy, client) = try await HAProxy.started(before: daemon.port)
        for _ in 0..<3 { #expect(try client.exchange("POST", "/tables/TodoItem", #"{"text":"t"}"#).code == 201) }
        for length in [8_000, 64_000] {
            let filter = "text%20ne%20%27\(String(repeating: "x", count: length))%27"
            let answer = try client.exchange(
                "GET", "/tables/TodoItem?$filter=\(filter)", "", ["ZUMO-API-VERSION: 2.0.0"])
            #expect(answer.code == 200 && answer["Link"] != nil)
        }
        let large = #"{"text":"\#(String(repeating: "x", count: 2 << 20))"}"#
        #expect(try WireClient(port: proxy.port).exchange("POST", "/tables/TodoItem", large).code == 413)
        #expect(try client.exchange("GET", "/tables/TodoItem").code == 200)
        #expect(daemon.stop() == 0)
    }

    @Test func `a server passes its own check, and what it packs keeps the row's version`() async throws {
        let daemon = try Daemon(Workplace(["zumod.yaml": "limits: { addressRequestsPerMinute: 20 }\n"]))
        let (proxy, client) = try await HAProxy.started(
            before: daemon.port,
            """
            option httpchk
                timeout check 60s
                compression algo gzip
                compression type application/json
                default-server check inter 50 fall 1
            """)
        defer { withExtendedLifetime(proxy) {} }
        let fields = ["Accept-Encoding: gzip", "ZUMO-API-VERSION: 2.0.0"]
        let path = "/tables/TodoItem/k"
        let text = String(repeating: "tea ", count: 50)
        let made = try client.exchange("POST", "/tables/TodoItem", #"{"id":"k","text":"\#(text)"}"#)
        try #require(made.code == 201, "\(made.status) \(made.text)")
        var tag = try #require(client.exchange("GET", path, "", fields)["ETag"])
        #expect(tag.hasPrefix("W/"), "HAProxy left it as it was: \(tag)")
        for round in 0..<5 {
            // Checks come between.
            try await Task.sleep(for: .milliseconds(100))
            let done = try client.exchange(
                "PATCH", path, #"{"text":"\#(text)\#(round)"}"#, fields + ["If-Match: \(tag)"])
            #expect(done.code == 200, "\(done.text)")
            tag = try #require(done["ETag"])
        }
        #expect(daemon.stop() == 0)
    }
}
