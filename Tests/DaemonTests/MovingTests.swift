import Foundation
import Testing
import WireTesting

@Suite("Moving a database", .ownThread)
struct MovingTests {
    /// From where to where.
    struct Way: Sendable, CustomStringConvertible {
        let fromPostgres: Bool
        let toPostgres: Bool
        let format: String

        var description: String { "\(name(fromPostgres)) to \(name(toPostgres)) by \(format)" }

        private func name(_ isPostgres: Bool) -> String { isPostgres ? "PostgreSQL" : "SQLite" }
    }

    static let ways = [(false, false), (false, true), (true, false), (true, true)].flatMap { way in
        ["jsonl", "csv"].map { Way(fromPostgres: way.0, toPostgres: way.1, format: $0) }
    }.filter { SharedDatabase.server != nil || !($0.fromPostgres || $0.toPostgres) }

    private static let table = """
        columns: { text: string, big: integer, n: number, yes: boolean, at: date, day: dateOnly, time: timeOnly,
          price: decimal }
        softDelete: true
        seed: [ { text: seeded } ]
        """

    private static let bodies = [
        #"{"id":"plain","text":"words, \"quoted\"\nand more","big":9223372036854775807,"n":0.1,"yes":true,"price":1.10}"#,
        #"{"id":"dates","at":"2026-02-03T04:05:06.789Z","day":"2026-02-03","time":"04:05:06.789"}"#,
        ##"{"id":"#zumod {","text":"","big":-9223372036854775808,"n":-1e-300,"yes":false}"##,
        #"{"id":"é 😀","text":" é, 😀\r\n\t","gained":"by dynamic schema"}"#,
        #"{"id":"null","text":null,"price":-123456789012345678901234567890.0500}"#, #"{"id":"dead","text":"was here"}"#,
    ]

    @Test(arguments: ways) func `a copy is the same to every client`(_ way: Way) throws {
        let (source, target) = (try Place(way.fromPostgres), try Place(way.toPostgres))
        try source.workplace.write(Self.table, to: "tables/TodoItem.yaml")
        try source.workplace.write("autoIncrement: true\ncolumns: { v: number }\n", to: "tables/Numbered.yaml")
        let old = try Daemon(source.workplace, arguments: source.database)
        let client = try old.client()
        for body in Self.bodies { #expect(try client.exchange("POST", "/tables/TodoItem", body).code == 201) }
        for _ in 1...3 { #expect(try client.exchange("POST", "/tables/Numbered", #"{"v":1.5}"#).code == 201) }
        #expect(try client.exchange("DELETE", "/tables/TodoItem/dead").code == 200)
        #expect(try client.exchange("DELETE", "/tables/Numbered/3").code == 200)
        let before = try client.exchange("GET", Self.everything).text
        let numbers = try client.exchange("GET", "/tables/Numbered?$orderby=id").text

        // The server goes on while its rows are read.
        let export = try source.workplace.run(
            ["export", "--output", "out/", "--format", way.format] + source.database)
        #expect(export.code == 0, "\(export.errors)")
        #expect(export.errors.contains("TodoItem: 7 rows to out/TodoItem.\(way.format)"))
        #expect(old.stop() == 0)

        for name in ["TodoItem", "Numbered"] {
            let definition = try source.workplace.contents(of: "config/tables/\(name).yaml")
            try target.workplace.write(definition, to: "tables/\(name).yaml")
        }
        let files = ["TodoItem", "Numbered"].map { "\(source.workplace.path)/out/\($0).\(way.format)" }
        let imported = try target.workplace.run(["import"] + files + target.database)
        #expect(imported.code == 0, "\(imported.errors)")
        #expect(imported.output == "TodoItem: 7 rows inserted\nNumbered: 2 rows inserted\n")

        let new = try Daemon(target.workplace, arguments: target.database)
        let fresh = try new.client()
        #expect(try fresh.exchange("GET", Self.everything).text == before)
        #expect(try fresh.exchange("GET", "/tables/Numbered?$orderby=id").text == numbers)
        // A client that has all goes on: nothing is new, its versions hold, and what it writes is newer than all.
        let rows = try fresh.exchange("GET", Self.everything).rows
        let last = try #require(rows.map(\.updatedAt).max())
        let pull = "/tables/TodoItem?__includeDeleted=true&$filter=updatedAt gt datetimeoffset'\(last)'"
        #expect(try fresh.exchange("GET", pull).rows == [])
        let plain = try #require(rows.first { $0.id == "plain" })
        let changed = try fresh.exchange(
            "PATCH", "/tables/TodoItem/plain", #"{"text":"x"}"#, ["If-Match: \"\(plain.version)\""])
        #expect(changed.code == 200)
        #expect(try fresh.exchange("GET", pull).rows == [changed.row])
        #expect(try changed.row.counter > #require(rows.map(\.counter).max()))
        #expect(try fresh.exchange("POST", "/tables/Numbered", #"{"v":2}"#).text.hasPrefix(#"{"id":4,"#))
        #expect(new.stop() == 0)
        let verified = try target.workplace.run(["verify"] + target.database)
        #expect(verified.code == 0 || verified.output.contains("the server's setting"), "\(verified.output)")
    }

    /// Of several who had a name, each keeps the id, and so the rows.
    @Test(arguments: ways.filter { $0.fromPostgres != $0.toPostgres || SharedDatabase.server == nil })
    func `users move too, with those who had their names before`(_ way: Way) throws {
        let (source, target) = (try Place(way.fromPostgres), try Place(way.toPostgres))
        for words in [["add", "ann"], ["add", "b\u{E9}a"], ["remove", "ann"], ["add", "ann"], ["promote", "ann"]] {
            #expect(try source.user(words).code == 0, "\(words)")
        }
        for place in [source, target] { #expect(try place.run(["migrate"]).code == 0) }
        let list = try source.user(["list"]).output
        #expect(list.contains("\tadmin\tLocal:ann#"))
        let part = try source.run(["export", "--table", "TodoItem"])
        #expect(part.code == 0 && part.errors.contains("note: the 2 users who log in with a password"))
        let export = try source.run(["export", "--output", "out/", "--format", way.format])
        let file = "out/zumod_users.\(way.format)"
        #expect(export.errors.contains("users: 2 to \(file)"), "\(export.errors)")
        let path = "\(source.workplace.path)/\(file)"
        let rights = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(rights == 0o600)
        let users = try source.workplace.contents(of: file)
        try users.split(separator: "\n").dropLast().joined(separator: "\n")
            .write(toFile: "\(target.workplace.path)/short.\(way.format)", atomically: true, encoding: .utf8)
        #expect(try target.run(["import", "short.\(way.format)"]).errors.contains("was cut off"))

        #expect(try target.run(["import", "--dry-run", path]).output == "nothing is wrong; nothing was written\n")
        for end in ["2 added", "0 added, 2 there already or removed"] {
            let imported = try target.run(["import", path])
            #expect(imported.code == 0 && imported.output == "users: \(end)\n", "\(imported.errors)")
            #expect(try target.user(["list"]).output == list)
        }
        // All or none, as somebody has another password here.
        for words in [["remove", "b\u{E9}a"], ["passwd", "ann"]] { #expect(try target.user(words).code == 0) }
        let refused = try target.run(["import", path])
        #expect(refused.code == 65 && refused.errors.contains("there is a user ann already"), "\(refused.errors)")
        let kept = try target.run(["import", path, "--skip-existing"])
        #expect(kept.output == "users: 0 added, 2 there already or removed\n", "\(kept.errors)")
        // The id of the first ann is known to be another's.
        #expect(try target.user(["remove", "ann"]).code == 0)
        #expect(try target.user(["add", "ann"]).output.contains("the new user is another one"))
    }

    @Test func `an export of a server that writes is from one moment`() async throws {
        let daemon = try Daemon(Workplace())
        let load = ServerLoad(ports: [daemon.port])
        try await withThrowingTaskGroup { group in
            defer { load.stop() }
            for writer in 0..<4 { group.addTask(executorPreference: OwnThread()) { load.write(writer) } }
            for round in 1...5 {
                #expect(try await load.waits(forMore: 30))
                let outcome = try daemon.workplace.run("export", "--table", "TodoItem")
                let lines = outcome.output.split(separator: "\n")
                #expect(
                    outcome.code == 0 && lines.last == #"{"zumod":"end","name":"TodoItem","rows":\#(lines.count - 2)}"#)
                let copy = "copy\(round).sqlite3"
                try outcome.output.write(
                    toFile: "\(daemon.workplace.path)/all.jsonl", atomically: true, encoding: .utf8)
                let imported = try daemon.workplace.run("import", "all.jsonl", "--database", "sqlite:\(copy)")
                #expect(imported.code == 0, "\(imported.errors)")
                #expect(try daemon.workplace.run("verify", "--database", "sqlite:\(copy)").output == "ok\n")
            }
            load.stop()
            try await group.waitForAll()
        }
        #expect(daemon.stop() == 0)
    }

    private static let everything = "/tables/TodoItem?__includeDeleted=true&$orderby=updatedAt"

    /// A workplace with a database of its own.
    private final class Place {
        let workplace: Workplace
        let database: [String]
        private let shared: SharedDatabase?

        init(_ isPostgres: Bool) throws {
            workplace = try Workplace()
            shared = isPostgres ? try SharedDatabase() : nil
            database = shared.map { ["--database", $0.url] } ?? []
        }

        func run(_ arguments: [String]) throws -> Workplace.Outcome {
            try workplace.run(arguments + database)
        }

        func user(_ arguments: [String]) throws -> Workplace.Outcome {
            let process = workplace.process(["user"] + arguments + database)
            let pipe = Pipe()
            process.standardInput = pipe
            pipe.fileHandleForWriting.write(Data("correct horse\n".utf8))
            try pipe.fileHandleForWriting.close()
            return try workplace.run(process)
        }
    }
}
