import Foundation
import Testing
import WireTesting

/// nginx with the file of docker/balancer.conf before a server; only addresses and ports are other ones.
private final class Balancer {
    let port: UInt16
    private let process = Process()
    private let folder: URL

    static let program = ["/usr/sbin/nginx", "/usr/bin/nginx"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    init(before server: UInt16, on port: UInt16) throws {
        self.port = port
        let program = try #require(Self.program)
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docker/balancer.conf")
        let written = try String(contentsOf: file, encoding: .utf8)
        let site = written.replacing("zumod-1:8080", with: "127.0.0.1:\(server)")
            .replacing("    server zumod-2:8080 fail_timeout=60s;\n", with: "").replacing(
                "listen 8080", with: "listen 127.0.0.1:\(port)")
        #expect(!site.contains("zumod-"))
        folder = FileManager.default.temporaryDirectory.appending(path: "zumod-balancer-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map {
            "\($0)_temp_path \(folder.path)/\($0);"
        }
        let main = """
            daemon off; master_process off; pid \(folder.path)/pid; error_log \(folder.path)/error.log;
            events {}
            http { access_log off; \(temporary.joined(separator: " "))
            \(site)
            }
            """
        try Data(main.utf8).write(to: folder.appending(path: "nginx.conf"))
        process.executableURL = URL(filePath: program)
        process.arguments = ["-p", folder.path, "-c", folder.path + "/nginx.conf", "-e", folder.path + "/error.log"]
        try process.run()
    }

    deinit {
        // It inherits from a thread of Dispatch that SIGTERM is kept off.
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        process.waitForEnd()
        try? FileManager.default.removeItem(at: folder)
    }

    /// A client, as soon as it listens; nil where it ended, as on a port that is taken.
    func client() async throws -> WireClient? {
        while process.isRunning {
            if let client = try? WireClient(port: port) { return client }
            try await Task.sleep(for: .milliseconds(20))
        }
        return nil
    }
}

@Suite("Behind the balancer of the compose file", .ownThread)
struct BalancerTests {
    @Test(.enabled(if: Balancer.program != nil, "nginx is not installed"))
    func `nobody forges their address, and nobody is taken for the machine itself`() async throws {
        let daemon = try Daemon(Workplace(["zumod.yaml": "limits: { addressRequestsPerMinute: 5 }"]))
        var found: (Balancer, WireClient)?
        for _ in 0..<20 where found == nil {
            let balancer = try Balancer(before: daemon.port, on: UInt16.random(in: 20_000...30_000))
            if let client = try await balancer.client() { found = (balancer, client) }
        }
        let (balancer, client) = try #require(found)
        defer { withExtendedLifetime(balancer) {} }
        let forgeries = [
            [], ["X-Forwarded-For: 127.0.0.1"], ["Forwarded: for=127.0.0.1"], ["X-Real-IP: 127.0.0.1"],
        ]
        for forgery in forgeries {
            for path in ["/metrics", "/openapi.json"] {
                let code = try client.exchange("GET", path, "", forgery).code
                #expect(code == 401 || code == 403 || code == 429, "\(path) \(forgery): \(code)")
            }
        }
        var codes: [Int] = []
        for number in 1...12 {
            let forged = ["X-Forwarded-For: 203.0.113.\(number)", "Forwarded: for=203.0.113.\(number)"]
            codes.append(try client.exchange("GET", "/tables/TodoItem", "", forged).code)
        }
        #expect(codes.last == 429, "\(codes)")
        // The address that nginx saw is the machine's own, so the limit is shared with nobody else's.
        #expect(try daemon.client().exchange("GET", "/metrics").code == 200)
        #expect(daemon.stop() == 0)
    }
}
