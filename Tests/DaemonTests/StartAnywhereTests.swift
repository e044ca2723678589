import Foundation
import Testing
import WireTesting

@Suite("Where there is no configuration", .ownThread)
struct StartAnywhereTests {
    private static func emptyWorkplace() throws -> Workplace {
        let workplace = try Workplace()
        try FileManager.default.removeItem(atPath: "\(workplace.path)/config")
        return workplace
    }

    @Test func `the sample is served, and the log says where rows go and how to go on`() async throws {
        let workplace = try Self.emptyWorkplace()
        let daemon = try Daemon(workplace)
        let client = try daemon.client()
        #expect(try client.exchange("GET", "/tables/TodoItem").rows.count == 2)
        #expect(try client.exchange("POST", "/tables/todoitem", #"{"text":"milk"}"#).code == 201)
        #expect(try await daemon.waits(forLog: "the built-in sample is served"))
        #expect(daemon.logged.contains("data/zumod.sqlite3; zumod init writes a configuration"))
        #expect(daemon.stop() == 0)
        #expect(workplace.files == ["data"])
    }

    @Test func `init writes the configuration of this repository once, and check finds nothing wrong`() throws {
        let workplace = try Self.emptyWorkplace()
        let first = try workplace.run("init")
        #expect(first.code == 0 && first.output.contains("wrote config/tables/TodoItem.yaml"), "\(first.errors)")
        let repository = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../config").path
        for name in ["zumod.yaml", "tables/TodoItem.yaml"] {
            let original = try String(contentsOfFile: "\(repository)/\(name)", encoding: .utf8)
            #expect(try workplace.contents(of: "config/\(name)") == original)
        }
        let checked = try workplace.run("check")
        #expect(checked.code == 0 && checked.output.contains("ok: 1 table") && checked.errors.isEmpty)

        try workplace.write("port: 1\n", to: "zumod.yaml")
        let second = try workplace.run("init")
        #expect(second.code == 74 && second.errors.contains("config/zumod.yaml is there already"))
        #expect(try workplace.contents(of: "config/zumod.yaml") == "port: 1\n")
        #expect(try workplace.run("init", "elsewhere").code == 0)
        #expect(try workplace.run("check", "--config", "elsewhere").code == 0)
    }

    @Test func `a database alone is enough for commands that need no more`() throws {
        let workplace = try Self.emptyWorkplace()
        do {
            let daemon = try Daemon(workplace)
            #expect(daemon.stop() == 0)
        }
        let database = ["--database", "sqlite:data/zumod.sqlite3"]
        for command in [
            ["verify"], ["backup", "copy.sqlite3"], ["export", "--output", "rows"], ["migrate", "--dry-run"],
        ] {
            let outcome = try workplace.run(command + database)
            #expect(outcome.code == 0, "\(command): \(outcome.errors)")
            let bare = try workplace.run(command)
            #expect(bare.code == 78 && bare.errors.contains("or a database with --database URL"), "\(command)")
        }
        #expect(try workplace.run("health", "--port", "1").code == 69)
    }

    @Test func `a configuration with nothing to serve is warned of`() throws {
        let workplace = try Self.emptyWorkplace()
        try FileManager.default.createDirectory(
            atPath: "\(workplace.path)/config", withIntermediateDirectories: true)
        let empty = try workplace.run("check")
        #expect(empty.code == 0 && empty.errors.contains("there is nothing to serve"), "\(empty.errors)")
        try workplace.write("autoCreateTables: true\n", to: "zumod.yaml")
        #expect(try workplace.run("check").errors.isEmpty)
    }
}
