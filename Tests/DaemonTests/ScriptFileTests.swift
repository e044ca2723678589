import Foundation
import Testing
import WireTesting

/// What becomes of the files of scripts: they are read, read again, and named where they can't be.
extension ScriptTests {
    @Test func `are read again when a file changes, and stay where it can't be loaded`() async throws {
        let workplace = try Self.workplace([
            "api/word.js": "exports.get = (req, res) => res.send('old');",
            "api/whoami.js": "exports.get = (req, res) => res.send(String(process.pid));",
        ])
        let daemon = try Daemon(workplace)
        let client = try daemon.client()
        #expect(try client.exchange("GET", "/api/word").text == "old")
        try workplace.write("exports.get = (req, res) => res.send('new');", to: "api/word.js")
        #expect(try await daemon.waits(forLog: "the configuration was read again and is in force"))
        #expect(try client.exchange("GET", "/api/word").text == "new")
        try workplace.write("exports.get = (req, res) => {", to: "api/word.js")
        #expect(try await daemon.waits(forLog: "the configuration can't be taken"))
        #expect(daemon.logged.contains("config/api/word.js:"), "\(daemon.logged.suffix(1_000))")
        #expect(try client.exchange("GET", "/api/word").text == "new")
        // The workers that take their place read the file as it is.
        while let worker = Int32(try client.exchange("GET", "/api/whoami").text) { kill(worker, SIGKILL) }
        #expect(try client.exchange("GET", "/api/word").text.contains("scripts-unavailable"))
        #expect(try client.exchange("GET", "/readyz").text == #"{"status":"ready","scripts":"unavailable"}"#)
        #expect(try client.exchange("GET", "/metrics").text.contains("\nzumod_script_workers 0\n"))
        #expect(daemon.stop() == 0)
    }

    @Test func `are listed by check, with what is wrong by file and line`() throws {
        let workplace = try Self.workplace([
            "api/uses.js": "// a line\nexports.get = (req, res) => require('not-installed')(res);",
            "scheduler/clean.js": "function clean() {}", "scheduler/clean.json": #"{"cron": "0 3 * * *"}"#,
            "tables/notes.insert.js": "function insert(item, user, request) { request.execute(); }",
            "tables/notes.read.js": "function read(query, user, request) { request.execute(); }",
        ])
        let fine = try workplace.run("check")
        #expect(fine.code == 0, "\(fine.errors)")
        #expect(fine.output.contains("script tables/TodoItem.js: table TodoItem, insert (v2)"))
        #expect(fine.output.contains("script tables/notes.insert.js: table notes, insert (v1)"))
        #expect(fine.output.contains("script tables/notes.read.js: table notes, read (v1)"))
        #expect(fine.output.contains("script api/bad.js: API /api/bad, get anonymous (v2)"))
        #expect(fine.output.contains("script scheduler/clean.js: job clean, at 0 3 * * *"))
        #expect(fine.errors.contains("config/api/uses.js:2: requires 'not-installed'"))
        try workplace.write("const table = ;", to: "tables/broken.js")
        let broken = try workplace.run("check")
        #expect(broken.code == 78)
        #expect(broken.errors.contains("config/tables/broken.js:1: can't be loaded"), "\(broken.errors)")
        try workplace.write("{\n\"cron\": \"0 25 * * *\"}", to: "scheduler/clean.json")
        let late = try workplace.run("check")
        #expect(late.errors.contains("config/scheduler/clean.json:2: `cron` is '0 25 * * *'"), "\(late.errors)")
    }
}
