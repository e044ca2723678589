import Foundation
import Testing
import WireTesting

/// `tls.certificate` and `tls.key`.
@Suite("The server by https", .ownThread)
struct SecuredTests {
    private static let settings = "tls: { certificate: server.pem, key: server.key }\n"

    private static func certificate(_ name: String) throws -> String {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        return try String(contentsOf: tests.appending(path: "Data/tls/\(name)"), encoding: .utf8)
    }

    private static func workplace(_ settings: String = settings) throws -> Workplace {
        let files = try ["server.pem", "server.key", "ca.pem"].map { ($0, try certificate($0)) }
        return try Workplace(Dictionary(files + [("zumod.yaml", settings)], uniquingKeysWith: { $1 }))
    }

    /// Asks by curl, which trusts the test authority alone.
    private static func curl(_ daemon: Daemon, _ arguments: String...) throws -> Workplace.Outcome {
        let process = daemon.workplace.process([])
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
            ["curl", "--silent", "--disable", "--max-time", "30", "--cacert", "config/ca.pem"]
            + arguments.map { $0.replacing("BASE", with: "https://localhost:\(daemon.port)") }
        return try daemon.workplace.run(process)
    }

    /// What comes of protocols that a client offers by ALPN.
    private static func offer(_ protocols: [String], to daemon: Daemon) throws -> String {
        let process = daemon.workplace.process([])
        process.executableURL = URL(filePath: "/usr/bin/env")
        let script = """
            import socket, ssl, sys
            context = ssl.create_default_context(cafile="config/ca.pem")
            context.set_alpn_protocols(sys.argv[2:])
            with socket.create_connection(("localhost", int(sys.argv[1]))) as plain:
                try:
                    print(context.wrap_socket(plain, server_hostname="localhost").selected_alpn_protocol())
                except ssl.SSLError as error:
                    print(error)
            """
        process.arguments = ["python3", "-c", script, "\(daemon.port)"] + protocols
        return try daemon.workplace.run(process).output
    }

    @Test func `shows its certificate, and its links are https`() throws {
        let daemon = try Daemon(try Self.workplace())
        let insert = try Self.curl(
            daemon, "--include", "--data", #"{"text":"a"}"#, "--header", "Content-Type: application/json",
            "BASE/tables/TodoItem")
        #expect(insert.output.hasPrefix("HTTP/1.1 201"))
        #expect(insert.output.contains("Location: https://localhost:\(daemon.port)/tables/TodoItem/"))
        let page = try Self.curl(daemon, "--include", "BASE/tables/TodoItem?$top=1")
        #expect(page.output.contains(#""text":"a""#))
        #expect(try Self.curl(daemon, "--tls-max", "1.2", "BASE/readyz").code == 0)
        // 35: the handshake failed.
        let old = ["--tls-max", "1.1", "--ciphers", "DEFAULT@SECLEVEL=0"]
        #expect(try Self.curl(daemon, old[0], old[1], old[2], old[3], "BASE/readyz").code == 35)
        #expect(try Self.offer(["http/1.1", "h2"], to: daemon) == "http/1.1\n")
        #expect(try Self.offer(["h2"], to: daemon).contains("no application protocol"))
        let plain = try daemon.client().exchange("GET", "/tables/TodoItem")
        #expect(plain.code == 400 && plain.text.contains("this address speaks https"))
        #expect(daemon.stop() == 0)
    }

    @Test func `health asks by https too`() throws {
        let daemon = try Daemon(try Self.workplace())
        let url = "https://127.0.0.1:\(daemon.port)"
        #expect(try daemon.workplace.run("health", "--url", url).output == "ready\n")
        let configured = try daemon.workplace.run("health", environment: ["ZUMOD_PORT": "\(daemon.port)"])
        #expect(configured.output == "ready\n")
        let plain = try daemon.workplace.run("health", "--url", "http://127.0.0.1:\(daemon.port)")
        #expect(plain.code == 69 && plain.errors.contains("400"))
        #expect(daemon.stop() == 0)
        #expect(try daemon.workplace.run("health", "--url", url).code == 69)
    }

    @Test func `a newer certificate is taken as it comes, and a broken one isn't`() async throws {
        let daemon = try Daemon(try Self.workplace())
        let shown = { try Self.curl(daemon, "--write-out", "%{certs}", "--output", "/dev/null", "BASE/readyz") }
        let first = try shown()
        #expect(first.code == 0 && first.output.contains("BEGIN CERTIFICATE"))
        // As long as the two don't belong together the old ones stay.
        try daemon.workplace.write(try Self.certificate("renewed.pem"), to: "server.pem")
        #expect(try await daemon.waits(forLog: "the old one stays in force"))
        #expect(daemon.logged.contains("holds a key that does not belong to the certificate"))
        #expect(try shown().output == first.output)
        try daemon.workplace.write(try Self.certificate("renewed.key"), to: "server.key")
        #expect(try await daemon.waits(forLog: "the certificate has changed and is in force until=2125-01-01"))
        let second = try shown()
        #expect(second.code == 0 && second.output != first.output)
        let metrics = try Self.curl(daemon, "BASE/metrics").output
        #expect(metrics.contains("\nzumod_tls_certificate_expiry_timestamp_seconds 4891363200\n"))
        #expect(daemon.stop() == 0)
    }

    @Test func `a folder that is swapped as Kubernetes does it is noticed`() async throws {
        let workplace = try Self.workplace("tls: { certificate: tls/server.pem, key: tls/server.key }\n")
        let files = FileManager.default
        let folder = "\(workplace.path)/config/tls"
        func fill(_ version: String, from name: String) throws {
            try files.createDirectory(atPath: "\(folder)/\(version)", withIntermediateDirectories: true)
            for end in ["pem", "key"] {
                try Data(Self.certificate("\(name).\(end)").utf8)
                    .write(to: URL(filePath: "\(folder)/\(version)/server.\(end)"))
            }
        }
        try fill("..1", from: "server")
        try files.createSymbolicLink(atPath: "\(folder)/..data", withDestinationPath: "..1")
        for end in ["pem", "key"] {
            try files.createSymbolicLink(
                atPath: "\(folder)/server.\(end)", withDestinationPath: "..data/server.\(end)")
        }
        let daemon = try Daemon(workplace)
        let shown = { try Self.curl(daemon, "--write-out", "%{certs}", "--output", "/dev/null", "BASE/readyz") }
        let first = try shown().output
        try fill("..2", from: "renewed")
        try files.createSymbolicLink(atPath: "\(folder)/..new", withDestinationPath: "..2")
        let swapped = unsafe rename("\(folder)/..new", "\(folder)/..data")
        #expect(swapped == 0)
        #expect(try await daemon.waits(forLog: "the certificate has changed and is in force"))
        let second = try shown()
        #expect(second.code == 0 && second.output != first)
        #expect(daemon.stop() == 0)
    }

    @Test func `SIGHUP takes other files, and says that TLS itself needs a restart`() async throws {
        let workplace = try Self.workplace()
        try workplace.write(try Self.certificate("renewed.pem"), to: "other.pem")
        try workplace.write(try Self.certificate("renewed.key"), to: "other.key")
        let daemon = try Daemon(workplace)
        let before = try Self.curl(daemon, "--write-out", "%{certs}", "--output", "/dev/null", "BASE/readyz").output
        try workplace.write("tls: { certificate: other.pem, key: other.key }\n", to: "zumod.yaml")
        daemon.send(signal: SIGHUP)
        #expect(try await daemon.waits(forLog: "is in force"))
        let after = try Self.curl(daemon, "--write-out", "%{certs}", "--output", "/dev/null", "BASE/readyz").output
        #expect(after.contains("BEGIN CERTIFICATE") && after != before)
        try workplace.write("pageSize: 10\n", to: "zumod.yaml")
        daemon.send(signal: SIGHUP)
        #expect(try await daemon.waits(forLog: "tls: the change needs a restart"))
        #expect(try Self.curl(daemon, "BASE/readyz").code == 0)
        #expect(daemon.stop() == 0)
    }

    @Test(arguments: [
        ("tls: { certificate: server.pem }", "needs tls.key too"),
        ("tls: { key: server.key }", "needs tls.certificate too"),
        ("tls: { certificate: none.pem, key: server.key }", "there is no file config/none.pem"),
        ("tls: { certificate: server.key, key: server.key }", "config/server.key holds no certificate"),
        ("tls: { certificate: server.pem, key: ca.pem }", "config/ca.pem holds no private key"),
        ("tls: { certificate: server.pem, key: renewed.key }", "does not belong to the certificate"),
        ("tls: { certificate: server.pem, key: locked.key }", "encrypted with a password"),
        ("tls: { certificate: tables, key: server.key }", "config/tables is no file"),
        ("tls: { certificate: empty.pem, key: server.key }", "config/empty.pem is empty"),
        ("tls: { certificat: server.pem }", "did you mean tls.certificate?"),
    ])
    func `check says what is wrong with the files, with file, line and key`(settings: String, expected: String) throws {
        let workplace = try Self.workplace(settings + "\n")
        try workplace.write("", to: "empty.pem")
        for name in ["renewed.key", "locked.key"] { try workplace.write(try Self.certificate(name), to: name) }
        let check = try workplace.run("check")
        #expect(check.code == 78)
        #expect(
            check.errors.contains("config/zumod.yaml:1: tls.") && check.errors.contains(expected), "\(check.errors)")
        #expect(!check.errors.contains("PRIVATE KEY"))
    }

    @Test(arguments: [
        ("tls: { certificate: expired.pem, key: server.key }", "has been invalid since 2021-01-01"),
        (settings + "publicUrl: https://api.example.com", "is not for api.example.com, the host of publicUrl"),
    ])
    func `check warns of a certificate that clients will refuse`(settings: String, expected: String) throws {
        let workplace = try Self.workplace(settings + "\n")
        try workplace.write(try Self.certificate("expired.pem"), to: "expired.pem")
        let check = try workplace.run("check")
        #expect(check.code == 0)
        #expect(check.errors.contains(expected), "\(check.errors)")
    }

    @Test func `commands that serve nobody need no right to the key`() throws {
        let workplace = try Self.workplace("tls: { certificate: none.pem, key: none.key }\n")
        // 69: there is no server, and not: there is no such file.
        let health = try workplace.run("health", environment: ["ZUMOD_PORT": "1"])
        #expect(health.code == 69, "\(health.errors)")
    }
}
