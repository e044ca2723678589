import Foundation
import Testing
import WireTesting

@Suite("A server for tests, at its start", .ownThread)
struct TestModeStartTests {
    @Test func `it says Ready after its address, warns on its front page and in its log, and leaves no file`()
        async throws
    {
        let workplace = try Workplace()
        let daemon = try Daemon(workplace, arguments: ["--test"])
        #expect(daemon.nextLine() == "Ready.")
        let world = TestWorld(port: daemon.port)
        #expect(try world.ask("GET", "/").text.contains("--test"))
        #expect(try world.insert("a").code == 201)
        #expect(try await daemon.waits(forLog: "this server is for tests"))
        #expect(daemon.stop() == 0)
        #expect(workplace.files == ["config"])
    }

    @Test(arguments: [["ZUMOD_TEST": "true"], ["ZUMOD_TEST": "1"]])
    func `the environment starts one too`(_ environment: [String: String]) throws {
        let daemon = try Daemon(Workplace(), environment: environment)
        #expect(try TestWorld(port: daemon.port).ask("GET", "/_test").code == 200)
    }

    @Test(arguments: ["/_test", "/_test/worlds", "/_test/clock", "/w/a/tables/TodoItem", "/_test/reset"])
    func `without --test nothing of it exists`(_ path: String) throws {
        let daemon = try Daemon(Workplace())
        let world = TestWorld(port: daemon.port)
        #expect(try world.ask("GET", path).code == 404)
        #expect(try world.ask("POST", path).code == 404)
        #expect(try !world.ask("GET", "/").text.contains("--test"))
    }

    /// Arguments, environment, and what the refusal names.
    static let refused: [([String], [String: String], String)] = [
        (["--test", "--host", "0.0.0.0"], [:], "test.allowRemote"),
        (["--test", "--database", "sqlite:rows.sqlite3"], [:], "--database"),
        ([], ["ZUMOD_TEST": "perhaps"], "ZUMOD_TEST"),
    ]

    @Test(arguments: refused)
    func `what can't be meant is refused`(
        _ arguments: [String], _ environment: [String: String], _ named: String
    ) throws {
        let workplace = try Workplace()
        let outcome = try workplace.run(
            workplace.process(["serve", "--port", "0"] + arguments, environment: environment))
        #expect(outcome.code == 78)
        #expect(outcome.errors.contains(named))
        #expect(workplace.files == ["config"])
    }

    @Test func `other machines reach it where that is allowed`() throws {
        let daemon = try Daemon(
            Workplace(), arguments: ["--test", "--host", "0.0.0.0"], environment: ["ZUMOD_TEST_ALLOW_REMOTE": "true"])
        #expect(try TestWorld(port: daemon.port).ask("GET", "/_test").code == 200)
    }

    @Test func `the database of the file is left alone`() async throws {
        let workplace = try Workplace(["zumod.yaml": "database: { url: \"postgresql://nobody@127.0.0.1:1/none\" }\n"])
        let daemon = try Daemon(workplace, arguments: ["--test"])
        #expect(try TestWorld(port: daemon.port).insert("a").code == 201)
        #expect(try await daemon.waits(forLog: "is left alone"))
    }
}
