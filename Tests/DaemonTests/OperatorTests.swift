import Foundation
import Testing
import WireTesting

@Suite("Tending a database", .ownThread)
struct OperatorTests {
    @Test func `a backup of a server that writes is whole and holds all that was acknowledged`() async throws {
        let daemon = try Daemon(Workplace())
        let load = ServerLoad(ports: [daemon.port])
        try await withThrowingTaskGroup { group in
            defer { load.stop() }
            for writer in 0..<4 { group.addTask(executorPreference: OwnThread()) { load.write(writer) } }
            for round in 1...3 {
                #expect(try await load.waits(forMore: 30))
                let acknowledged = load.written
                let outcome = try daemon.workplace.run("backup", "copy\(round).sqlite3")
                #expect(outcome.code == 0 && outcome.output == "copied to copy\(round).sqlite3\n")
                let copy = "sqlite:copy\(round).sqlite3"
                #expect(try daemon.workplace.run("verify", "--database", copy).output == "ok\n")
                let export = try daemon.workplace.run("export", "--table", "TodoItem", "--database", copy)
                // Every write takes a version.
                let versions = export.output.split(separator: "\n").first?.split(separator: "\"") ?? []
                let last = try #require(versions.firstIndex(of: "lastVersion")).advanced(by: 2)
                let row = SeenRow(id: "", version: String(versions[last]), updatedAt: "", deleted: false)
                #expect(row.counter >= UInt64(acknowledged))
            }
            load.stop()
            try await group.waitForAll()
        }
        let again = try daemon.workplace.run("backup", "copy1.sqlite3")
        #expect(again.code == 74 && again.errors == "error: copy1.sqlite3 exists already and is not overwritten\n")
        #expect(daemon.stop() == 0)
        #expect(daemon.workplace.files.filter { $0.contains("partial") } == [])
    }

    @Test func `files of a database are their owner's alone, and a looser mode is told`() async throws {
        let workplace = try Workplace()
        let daemon = try Daemon(workplace, arguments: ["--database", "sqlite:made/here/rows.sqlite3"])
        let client = try daemon.client()
        try client.send(
            "POST /tables/TodoItem HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"
        )
        #expect(try client.response().code == 201)
        let folder = workplace.path + "/made/here"
        func mode(_ path: String) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        }
        for ending in ["", "-wal", "-shm"] { #expect(try mode(folder + "/rows.sqlite3" + ending) == 0o600) }
        #expect(try mode(folder) == 0o700)
        #expect(!daemon.logged.contains("other users"))
        let database = ["--database", "sqlite:made/here/rows.sqlite3"]
        #expect(try workplace.run(["backup", "copy.sqlite3"] + database).code == 0)
        #expect(try mode(workplace.path + "/copy.sqlite3") == 0o600)
        #expect(daemon.stop() == 0)

        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: folder + "/rows.sqlite3")
        let sentence = "other users of this machine may read made/here/rows.sqlite3, which holds secrets"
        #expect(try workplace.run(["check"] + database).errors.contains("warning: \(sentence)"))
        let again = try Daemon(workplace, arguments: database)
        #expect(try await again.waits(forLog: sentence))
        #expect(again.stop() == 0)
    }

    @Test func `for PostgreSQL, backup tells the command without the password`() throws {
        let url = "postgresql://me:secret@db.example:5433/app?sslmode=require&password=secret"
        let outcome = try Workplace().run("backup", "to/app.dump", "--database", url)
        #expect(outcome.code == 64 && outcome.output == "")
        #expect(
            outcome.errors == """
                error: zumod backs up SQLite; for this PostgreSQL database use
                pg_dump --format=custom --file='to/app.dump' --dbname='postgresql://me@db.example:5433/app?sslmode=require'

                """)
        let odd = try Workplace().run("restore", "it's $1", "--database", "postgresql:///it's")
        #expect(odd.errors.contains(#"--dbname='postgresql:///it'\''s' 'it'\''s $1'"#), "\(odd.errors)")
    }

    @Test(arguments: [false, true].filter { !$0 || SharedDatabase.server != nil })
    func `migrate does what serve --no-migrate waits for`(onPostgres: Bool) async throws {
        let workplace = try Workplace()
        let shared = onPostgres ? try SharedDatabase() : nil
        let database = shared.map { ["--database", $0.url] } ?? []
        let refused = try workplace.run(["serve", "--no-migrate", "--port", "0"] + database)
        #expect(refused.code == 78 && refused.output == "")
        #expect(
            refused.errors.contains(
                "the database's schema is behind, and --no-migrate keeps it so; run `zumod migrate`"))
        let trial = try workplace.run(["migrate", "--dry-run"] + database)
        #expect(trial.code == 0)
        #expect(trial.output.contains("runs the migration 0001-foundation\n"))
        #expect(trial.output.contains("makes the table TodoItem\n") && trial.output.hasSuffix("nothing was changed\n"))
        #expect(workplace.files == ["config"])
        let done = try workplace.run(["migrate"] + database)
        #expect(done.code == 0 && done.output.hasSuffix("\ndone\n"))
        let again = try workplace.run(["migrate"] + database)
        #expect(again.output == "nothing to do: the schema is this version's\n")
        let daemon = try Daemon(workplace, arguments: ["--no-migrate"] + database)
        // A definition that gains a column is behind too, also where it is read again.
        try workplace.write("columns: { text: string, price: number }\nsoftDelete: true\n", to: "tables/TodoItem.yaml")
        daemon.send(signal: SIGHUP)
        #expect(try await daemon.waits(forLog: "the one before stays in force: the database's schema is behind"))
        #expect(daemon.stop() == 0)
        let column = try workplace.run(["migrate", "--dry-run"] + database)
        #expect(column.output == "makes the column TodoItem.price\nnothing was changed\n")
        #expect(try workplace.run(["serve", "--no-migrate", "--port", "0"] + database).code == 78)
    }

    @Test(arguments: [false, true].filter { !$0 || SharedDatabase.server != nil })
    func `commands for one table leave others to a server, which gives them their first rows`(
        onPostgres: Bool
    ) throws {
        let workplace = try Workplace()
        let shared = onPostgres ? try SharedDatabase() : nil
        let database = shared.map { ["--database", $0.url] } ?? []
        #expect(try workplace.run(["migrate"] + database).code == 0)
        try workplace.write(
            "columns: { text: string }\nseed: [{ id: food, text: bread }]\n", to: "tables/Category.yaml")
        try workplace.write(#"{"id":"a","text":"b"}"#, to: "TodoItem.jsonl")
        #expect(try workplace.run(["table", "purge", "TodoItem", "--older-than", "30d"] + database).code == 0)
        #expect(try workplace.run(["table", "purge", "Category", "--older-than", "30d"] + database).code == 65)
        #expect(try workplace.run(["import", "config/TodoItem.jsonl"] + database).code == 0)
        let daemon = try Daemon(workplace, arguments: database)
        #expect(try daemon.client().exchange("GET", "/tables/Category").text.contains("bread"))
        #expect(daemon.stop() == 0)
    }

    @Test(arguments: [false, true].filter { !$0 || SharedDatabase.server != nil })
    func `what only looks or removes makes no database`(onPostgres: Bool) throws {
        let workplace = try Workplace()
        let shared = onPostgres ? try SharedDatabase() : nil
        let database = shared.map { ["--database", $0.url] } ?? []
        for command in [
            ["user", "list"], ["user", "revoke", "ann"], ["table", "purge", "TodoItem", "--older-than", "30d"],
        ] {
            let outcome = try workplace.run(command + database)
            #expect(outcome.code == (onPostgres ? 78 : 69), "\(command): \(outcome.errors)")
        }
        #expect(workplace.files == ["config"])
        #expect(try workplace.run(["verify"] + database).code != 0)
    }

    @Test func `migrate on a database that is away ends with 69`() throws {
        for command in [["migrate"], ["serve", "--no-migrate"], ["verify"], ["export"]] {
            let outcome = try Workplace().run(command + ["--database", "postgresql://zumod@127.0.0.1:1/postgres"])
            #expect(outcome.code == 69)
        }
    }

    @Test(arguments: [false, true].filter { !$0 || SharedDatabase.server != nil })
    func `verify ends with 65 and says what to do`(onPostgres: Bool) throws {
        let workplace = try Workplace()
        let shared = onPostgres ? try SharedDatabase() : nil
        let database = shared.map { ["--database", $0.url] } ?? []
        #expect(try workplace.run(["verify"] + database).code != 0)
        #expect(try workplace.run(["migrate"] + database).code == 0)
        try workplace.write(
            "columns: { text: string }\nsoftDelete: true\nindexes: [text]\n", to: "tables/TodoItem.yaml")
        let outcome = try workplace.run(["verify"] + database)
        #expect(outcome.code == 65)
        #expect(
            outcome.output.contains(
                """
                table TodoItem: its index zumod_TodoItem.text is missing
                    run `zumod migrate`, which makes it

                """))
        #expect(try workplace.run(["migrate"] + database).code == 0)
        let healed = try workplace.run(["verify"] + database)
        #expect(!healed.output.contains("table TodoItem"))
    }

    @Test(arguments: [false, true].filter { !$0 || SharedDatabase.server != nil })
    func `old tombstones go by command, live rows stay, and the fence is shown`(onPostgres: Bool) throws {
        let workplace = try Workplace()
        let shared = onPostgres ? try SharedDatabase() : nil
        let database = shared.map { ["--database", $0.url] } ?? []
        try workplace.write(Self.oldRows, to: "TodoItem.csv")
        #expect(try workplace.run(["import", "config/TodoItem.csv"] + database).code == 0)
        #expect(
            try workplace.run(["table", "show", "TodoItem"] + database).output.hasSuffix(
                "no tombstone was purged yet\n"))
        let purge = ["table", "purge", "todoitem", "--older-than", "30d"]
        let trial = try workplace.run(purge + ["--dry-run"] + database)
        #expect(trial.output.hasPrefix("TodoItem: 2 tombstones are from before ") && trial.code == 0)
        let done = try workplace.run(purge + database)
        #expect(done.output.hasPrefix("TodoItem: 2 tombstones from before ") && done.code == 0)
        let ids = try workplace.run(["export"] + database).output
        #expect(!ids.contains("dead") && ids.contains("\"live\"") && ids.contains("\"young\""))
        let show = try workplace.run(["table", "show", "TodoItem"] + database).output
        #expect(show.contains("purged through 2020-01-02T00:00:00.000Z: devices that synced last before that"))
        #expect(try workplace.run(["table", "purge", "nope", "--older-than", "1d"] + database).code == 65)
    }

    @Test(arguments: [false, true].filter { !$0 || SharedDatabase.server != nil })
    func `a clock that is far ahead of the database purges when an operator vouches for it`(onPostgres: Bool) throws {
        let workplace = try Workplace()
        let shared = onPostgres ? try SharedDatabase() : nil
        let database = shared.map { ["--database", $0.url] } ?? []
        let row = "id,updatedAt,version,deleted,text\ndead,2020-01-01T00:00:00Z,AAAAAAAAAAU=,true,x\n"
        try workplace.write(row, to: "TodoItem.csv")
        #expect(try workplace.run(["import", "config/TodoItem.csv"] + database).code == 0)
        let purge = ["table", "purge", "TodoItem", "--older-than", "30d"]
        #expect(try workplace.run(purge + ["--dry-run"] + database).code == 0)
        let refused = try workplace.run(purge + database)
        #expect(refused.code == 65 && refused.output == "")
        #expect(refused.errors.contains("the latest time that the database knows is 2020-01-01T00:00:00.000Z"))
        let done = try workplace.run(purge + ["--clock-is-right"] + database)
        #expect(done.output.hasPrefix("TodoItem: 1 tombstones from before ") && done.code == 0)
        // The database has been told.
        #expect(try workplace.run(purge + database).code == 0)
    }

    @Test func `what goes whatever its age goes by no clock, and vouches for none`() throws {
        let workplace = try Workplace()
        let row = "id,updatedAt,version,deleted,text\ndead,2020-01-01T00:00:00Z,AAAAAAAAAAU=,true,x\n"
        try workplace.write(row, to: "TodoItem.csv")
        #expect(try workplace.run(["import", "config/TodoItem.csv"]).code == 0)
        let done = try workplace.run(["table", "purge", "TodoItem", "--older-than", "0s"])
        #expect(done.output == "TodoItem: 1 tombstones are gone\n" && done.code == 0)
        #expect(try workplace.run(["table", "purge", "TodoItem", "--older-than", "30d"]).code == 65)
    }

    @Test func `a server purges by itself what its table keeps no longer`() async throws {
        let definition = "columns: { text: string }\nsoftDelete: true\ntombstones: { keepDays: 30 }\n"
        let workplace = try Workplace(["tables/TodoItem.yaml": definition])
        let recent = Date(timeIntervalSinceNow: -29 * 86_400).ISO8601Format()
        try workplace.write(Self.oldRows + "recent,\(recent),true,x\n", to: "TodoItem.csv")
        #expect(try workplace.run("import", "config/TodoItem.csv").code == 0)
        let daemon = try Daemon(workplace)
        #expect(try await daemon.waits(forLog: "purged tombstones"))
        let rows = try daemon.client().exchange("GET", "/tables/TodoItem?__includeDeleted=true&$orderby=id").rows
        #expect(rows.map(\.id) == ["live", "recent", "young"])
        #expect(daemon.stop() == 0)
        #expect(try workplace.run("table", "show", "TodoItem").output.contains("tombstones are kept for 30 days\n"))
    }

    private static let oldRows = """
        id,updatedAt,deleted,text
        dead1,2020-01-01T00:00:00Z,true,x
        dead2,2020-01-02T00:00:00Z,true,x
        live,2020-01-03T00:00:00Z,false,x
        young,2100-01-01T00:00:00Z,true,x

        """
}

extension Daemon {
    fileprivate func expectStop() {
        #expect(stop() == 0)
    }
}
