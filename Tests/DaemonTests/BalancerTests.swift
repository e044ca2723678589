import Foundation
import Testing
import WireTesting

/// nginx before a server.
final class Balancer {
    let port: UInt16
    private let process = Process()
    private let folder: URL

    static let program = ["/usr/sbin/nginx", "/usr/bin/nginx"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    static let recipes = ["balancer.conf", "tls/nginx.conf"]

    /// With a file of docker/; only addresses and ports are other ones, and it speaks no TLS.
    /// - Parameter second: where a second server is, for the recipe that has two.
    convenience init(
        before server: UInt16, and second: UInt16? = nil, on port: UInt16, by recipe: String = recipes[0]
    ) throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docker/\(recipe)")
        // Behind the first server of the other file is one that sends on to https.
        let written = try String(contentsOf: file, encoding: .utf8).components(
            separatedBy: "\nserver {\n    listen 80;")[0]
        let site = written.replacing("zumod-1:8080", with: "127.0.0.1:\(server)")
            .replacing("zumod-2:8080", with: second.map { "127.0.0.1:\($0)" } ?? "zumod-2").replacing(
                "listen 8080", with: "listen 127.0.0.1:\(port)"
            ).replacing("listen 443 ssl", with: "listen 127.0.0.1:\(port)").replacing(
                "proxy_pass http://127.0.0.1:8080", with: "proxy_pass http://127.0.0.1:\(server)"
            ).split(separator: "\n").filter { line in
                !["[::]", "ssl_certificate", "server zumod-2"].contains { line.contains($0) }
            }.joined(separator: "\n")
        #expect(!site.contains("zumod-"))
        try self.init(site: site, on: port)
    }

    /// With a site of a test's own.
    /// - Parameter user: as whom it runs; nil for the test's own user.
    init(site: String, on port: UInt16, as user: String? = nil) throws {
        self.port = port
        let program = try #require(Self.program)
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
        let command = [program, "-p", folder.path, "-c", folder.path + "/nginx.conf", "-e", folder.path + "/error.log"]
        let asUser = try user.map { user in
            try FileManager.default.setAttributes([.ownerAccountName: user], ofItemAtPath: folder.path)
            return ["/usr/bin/setpriv", "--reuid=\(user)", "--clear-groups"]
        }
        process.executableURL = URL(filePath: (asUser ?? command)[0])
        process.arguments = Array(((asUser ?? []) + command).dropFirst())
        // A run of tests that is ended waits for nobody who has its output.
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    deinit {
        // It inherits from a thread of Dispatch that SIGTERM is kept off.
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        process.waitForEnd()
        try? FileManager.default.removeItem(at: folder)
    }

    /// One on a port that is free, and a client of it.
    static func started(_ start: (UInt16) throws -> Balancer) async throws -> (Balancer, WireClient) {
        for _ in 0..<20 {
            let balancer = try start(FreePort.next())
            if let client = try await balancer.client() { return (balancer, client) }
        }
        throw NoPort()
    }

    private struct NoPort: Error {}

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
        let (balancer, client) = try await Balancer.started { try Balancer(before: daemon.port, on: $0) }
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

    @Test(.enabled(if: Balancer.program != nil, "nginx is not installed"), arguments: Balancer.recipes)
    func `the longest token that the server takes gets there`(by recipe: String) async throws {
        let workplace = try Workplace([
            "zumod.yaml": "auth: { signingKey: 00112233445566778899aabbccddeeff }",
            "tables/Closed.yaml": "access: authenticated\n",
        ])
        // Its Base64 is four thirds of it, and the rest of the token is short.
        let claim = "x=" + String(repeating: "x", count: 12_000)
        let token = try workplace.run("token", "--user", "ann", "--claim", claim).output.filter { $0 != "\n" }
        #expect((16_000...16_384).contains(token.count))
        let daemon = try Daemon(workplace)
        let (balancer, client) = try await Balancer.started {
            try Balancer(before: daemon.port, on: $0, by: recipe)
        }
        defer { withExtendedLifetime(balancer) {} }
        for field in ["X-ZUMO-AUTH: \(token)", "Authorization: Bearer \(token)"] {
            let answer = try client.exchange("GET", "/tables/closed", "", [field])
            #expect(answer.code == 200)
        }
        #expect(daemon.stop() == 0)
    }
}
