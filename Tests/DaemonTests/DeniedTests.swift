import Foundation
import Testing
import WireTesting

/// What a user without rights is told, by the program itself: a test that runs as root sees no denial.
@Suite(
    "What the server's user may not read",
    .enabled(
        if: geteuid() == 0 && FileManager.default.fileExists(atPath: "/usr/bin/setpriv"), "only root has another user"),
    .ownThread)
struct DeniedTests {
    /// What is closed, of which configuration, and what is said of it; %@ stands for the working directory.
    struct Case: CustomTestStringConvertible {
        let closed: String
        var files = ["zumod.yaml": ""]
        var environment: [String: String] = [:]
        let says: String
        var testDescription: String { closed }
    }

    private static let it =
        "can't be read: it belongs to user 0 and group 0 with mode 0, so that this process, user 65534 "
        + "and group 65534, can't read it"

    static let cases = [
        Case(closed: "tables/TodoItem.yaml", says: "config/tables/TodoItem.yaml: \(it)"),
        Case(closed: "zumod.yaml", says: "config/zumod.yaml: \(it)"),
        Case(closed: "", says: "config: \(it)"),
        Case(closed: "tables", says: "config/tables: \(it)"),
        Case(closed: "apis", says: "config/apis: \(it)"),
        Case(
            closed: "apis/echo.yaml", files: ["apis/echo.yaml": "kind: echo"], says: "config/apis/echo.yaml: \(it)"),
        Case(
            closed: "rows.jsonl",
            files: ["rows.jsonl": "{}", "tables/TodoItem.yaml": "columns: { text: string }\nseed: ../rows.jsonl"],
            says: "rows.jsonl"),
        Case(
            closed: "keys.json", files: ["keys.json": "{}", "zumod.yaml": "auth: { keySets: keys.json }"],
            says: "config/keys.json \(it)"),
        Case(
            closed: "server.pem",
            files: [
                "server.pem": "x", "server.key": "x", "zumod.yaml": "tls: { certificate: server.pem, key: server.key }",
            ],
            says: "config/server.pem \(it)"),
        Case(
            closed: "secret", files: ["secret": "x"], environment: ["ZUMOD_AUTH_MASTER_KEY_FILE": "config/secret"],
            says: "auth.masterKey: names a file that \(it)"),
    ]

    /// Runs a command as user 65534 while something is closed.
    private static func run(
        _ arguments: [String], in workplace: Workplace, closing closed: String, environment: [String: String] = [:]
    ) throws -> (code: Int32, text: String) {
        _ = unsafe chmod(workplace.path, 0o755)
        #expect(unsafe chmod(closed, 0) == 0)
        defer { _ = unsafe chmod(closed, 0o755) }
        let process = workplace.process(arguments, environment: environment)
        process.arguments = ["--reuid=65534", "--regid=65534", "--clear-groups", Workplace.binary.path] + arguments
        process.executableURL = URL(filePath: "/usr/bin/setpriv")
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitForEnd()
        return (process.terminationStatus, text)
    }

    @Test(arguments: cases)
    func `is told with its owner, its mode and the user`(denied: Case) throws {
        let workplace = try Workplace(denied.files)
        let closed = "\(workplace.path)/config" + (denied.closed.isEmpty ? "" : "/\(denied.closed)")
        let (code, text) = try Self.run(
            ["check", "--config", "config"], in: workplace, closing: closed, environment: denied.environment)
        #expect(code == 78, "\(text)")
        #expect(text.contains(denied.says), "\(text)")
        #expect(!text.contains("UTF-8"), "\(text)")
    }

    @Test(arguments: ["verify", "export"]) func `is no database that isn't there`(command: String) throws {
        let workplace = try Workplace()
        let folder = "\(workplace.path)/closed"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        try Data().write(to: URL(filePath: "\(folder)/rows.db"))
        let (code, text) = try Self.run(
            [command, "--database", "sqlite:closed/rows.db"], in: workplace, closing: folder)
        #expect(code != 0)
        #expect(
            text.contains("the folder closed belongs to user 0 and group 0 with mode 0, so that this process"),
            "\(text)")
    }
}
