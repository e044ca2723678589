import Foundation
import PostgresTesting
import Testing
import WireTesting

@Suite("Restoring", .ownThread)
struct RestoreTests {
    private static let stores = [false, true].filter { !$0 || SharedDatabase.server != nil }

    @Test(arguments: stores)
    func `no row gets a version or an id that devices have from after the backup`(onPostgres: Bool) throws {
        let workplace = try Workplace([
            "tables/Numbered.yaml": "autoIncrement: true\ncolumns: { text: string }\n",
            "tables/Empty.yaml": "autoIncrement: true\ncolumns: { text: string }\n",
        ])
        let shared = onPostgres ? try SharedDatabase() : nil
        let database = shared.map { ["--database", $0.url] } ?? []
        let lost = try Daemon(workplace, arguments: database)
        var client = try lost.client()
        let kept = try client.exchange("POST", "/tables/TodoItem", #"{"id":"a","text":"1"}"#).row
        #expect(try client.exchange("POST", "/tables/Numbered", #"{"text":"1"}"#).code == 201)
        try Self.backUp(workplace, shared)
        let seen = try client.exchange("PATCH", "/tables/TodoItem/a", #"{"text":"2"}"#).row
        #expect(try client.exchange("POST", "/tables/Numbered", #"{"text":"2"}"#).text.contains(#""id":2,"#))
        // The first row of a table that was empty.
        #expect(try client.exchange("POST", "/tables/Empty", #"{"text":"1"}"#).text.contains(#""id":1,"#))
        if onPostgres {
            let early = try workplace.run(["restore"] + database)
            #expect(early.code == 69 && early.errors.contains("a server runs on it"), "\(early)")
        }
        #expect(lost.stop() == 0)

        if let shared {
            try shared.session().run("DROP SCHEMA \(shared.schema) CASCADE")
            try Self.runTool("pg_restore", ["--exit-on-error", "--dbname", shared.plainURL, "copy"], in: workplace)
            let done = try workplace.run(["restore"] + database)
            #expect(done.code == 0 && done.output == "the numbers have moved on: start the servers\n", "\(done)")
        } else {
            for ending in ["", "-wal", "-shm"] {
                try? FileManager.default.removeItem(atPath: "\(workplace.path)/data/zumod.sqlite3\(ending)")
            }
            let done = try workplace.run("restore", "copy")
            #expect(
                done.output == "restored to data/zumod.sqlite3, and its numbers have moved on: start the server\n",
                "\(done)")
            #expect(workplace.files.filter { $0.contains("partial") } == [])
        }

        let server = try Daemon(workplace, arguments: database)
        client = try server.client()
        #expect(try client.exchange("GET", "/tables/TodoItem/a").row == kept)
        let tag = ["If-Match: \"\(kept.version)\""]
        let changed = try client.exchange("PATCH", "/tables/TodoItem/a", #"{"text":"other"}"#, tag)
        #expect(try changed.code == 200 && changed.row.counter > seen.counter && changed.row.updatedAt > seen.updatedAt)
        // Stamps may have run ahead of the clock.
        let soon = ISO8601DateFormatter().string(from: Date(timeIntervalSinceNow: 3_000))
        #expect(try changed.row.updatedAt > soon)
        let late = try client.exchange(
            "PATCH", "/tables/TodoItem/a", #"{"text":"3"}"#, ["If-Match: \"\(seen.version)\""])
        #expect(try late.code == 412 && late.row == changed.row)
        #expect(!(try client.exchange("POST", "/tables/Numbered", #"{"text":"new"}"#).text.contains(#""id":2,"#)))
        #expect(try client.exchange("GET", "/tables/Numbered/2").code == 404)
        #expect(!(try client.exchange("POST", "/tables/Empty", #"{"text":"new"}"#).text.contains(#""id":1,"#)))
        let verified = try workplace.run(["verify"] + database)
        // The tests' own PostgreSQL syncs nothing, which verify says too.
        let findings = verified.output.split(separator: "\n").filter {
            !$0.contains("setting") && !$0.contains("ALTER SYSTEM")
        }
        #expect(findings == (onPostgres ? [] : ["ok"]), "\(verified)")
        #expect(server.stop() == 0)
    }

    @Test func `a backup is only read, and the folder of the database is made`() throws {
        let workplace = try Workplace()
        #expect(try workplace.run("migrate").code == 0)
        #expect(try workplace.run("backup", "copy").code == 0)
        let folder = "\(workplace.path)/backups"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        try FileManager.default.moveItem(atPath: "\(workplace.path)/copy", toPath: "\(folder)/copy")
        // A user who may read the folder and write nothing to it; root may anyway, but for what SQLite leaves there.
        try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder)
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder) }
        let stamp = try FileManager.default.attributesOfItem(atPath: folder)[.modificationDate] as? Date
        // Its tables' files may be what is broken tonight.
        try workplace.write("columns: [", to: "tables/Broken.yaml")
        let done = try workplace.run("restore", "backups/copy", "--database", "sqlite:new/place/rows.sqlite3")
        #expect(done.code == 0, "\(done)")
        #expect(try FileManager.default.attributesOfItem(atPath: folder)[.modificationDate] as? Date == stamp)
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(workplace.path)/new/place") == ["rows.sqlite3"])
    }

    @Test func `a server acknowledges no write to a file that was moved from under it`() throws {
        let daemon = try Daemon(Workplace())
        let client = try daemon.client()
        #expect(try client.exchange("POST", "/tables/TodoItem", #"{"id":"a"}"#).code == 201)
        let files = ["", "-wal", "-shm"].map { "\(daemon.workplace.path)/data/zumod.sqlite3\($0)" }
        for file in files { try FileManager.default.moveItem(atPath: file, toPath: file + ".lost") }
        let refused = try client.exchange("POST", "/tables/TodoItem", #"{"id":"b"}"#)
        #expect(refused.code == 503 && refused.text.contains("database-away"), "\(refused.text)")
        #expect(try client.exchange("GET", "/readyz").code == 503)
        #expect(daemon.logged.contains("the database's file was moved or removed"))
        for file in files { try FileManager.default.moveItem(atPath: file + ".lost", toPath: file) }
        #expect(try client.exchange("POST", "/tables/TodoItem", #"{"id":"b"}"#).code == 201)
        #expect(daemon.stop() == 0)
    }

    @Test func `nothing is overwritten, and nothing but a database of zumod is brought back`() throws {
        let workplace = try Workplace()
        let target = "\(workplace.path)/data/zumod.sqlite3"
        #expect(try workplace.run("migrate").code == 0)
        #expect(try workplace.run("backup", "copy").code == 0)
        let before = FileManager.default.contents(atPath: target)
        var refused = try workplace.run("restore", "copy")
        #expect(
            refused.code == 74 && refused.errors.contains("data/zumod.sqlite3 exists already and is not overwritten"))
        #expect(FileManager.default.contents(atPath: target) == before)

        // The log of another database would be taken for a part of the one that is brought back.
        try FileManager.default.moveItem(atPath: target, toPath: target + "-wal")
        refused = try workplace.run("restore", "copy")
        #expect(refused.code == 74 && refused.errors.contains("data/zumod.sqlite3-wal exists already"))
        try FileManager.default.removeItem(atPath: target + "-wal")

        try Data().write(to: URL(filePath: workplace.path + "/empty"))
        try Data(repeating: 65, count: 9_000).write(to: URL(filePath: workplace.path + "/text"))
        var damaged = [UInt8](before ?? Data())
        damaged.replaceSubrange(8_192..<12_288, with: repeatElement(255, count: 4_096))
        try Data(damaged).write(to: URL(filePath: workplace.path + "/damaged"))
        let cases = [("empty", Int32(65)), ("damaged", 69), ("text", 69), ("nowhere", 74)]
        for (name, code) in cases {
            let outcome = try workplace.run("restore", name)
            #expect(outcome.code == code && outcome.output == "", "\(name): \(outcome)")
            #expect(outcome.errors.contains(" \(name)") && !outcome.errors.contains(".partial"), "\(outcome.errors)")
            #expect(!FileManager.default.fileExists(atPath: target))
        }
        #expect(try workplace.run("restore").code == 64)
        let postgres = try workplace.run("restore", "copy", "--database", "postgresql://me:secret@db.example/app")
        #expect(postgres.code == 64 && postgres.errors.contains("pg_restore") && !postgres.errors.contains("secret"))
    }

    private static func backUp(_ workplace: Workplace, _ shared: SharedDatabase?) throws {
        guard let shared else {
            #expect(try workplace.run("backup", "copy").code == 0)
            return
        }
        try runTool(
            "pg_dump", ["--format=custom", "--file=copy", "--schema", shared.schema, "--dbname", shared.plainURL],
            in: workplace)
    }

    private static func runTool(_ name: String, _ arguments: [String], in workplace: Workplace) throws {
        let process = workplace.process([name] + arguments)
        process.executableURL = URL(filePath: "/usr/bin/env")
        let outcome = try workplace.run(process)
        try #require(outcome.code == 0, "\(outcome.errors)")
    }
}
