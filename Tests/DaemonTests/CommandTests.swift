import Testing
import WireTesting

@Suite("Commands", .ownThread)
struct CommandTests {
    @Test func `the version has the form of the response field`() throws {
        let outcome = try Workplace().run("--version")
        #expect(outcome.code == 0)
        #expect(outcome.output.wholeMatch(of: /zumod-\d+\.\d+\.\d+\n/) != nil)
    }

    @Test(arguments: ["serve", "check"])
    func `a bad configuration ends with 78 and names file, line and key`(command: String) throws {
        let workplace = try Workplace(["zumod.yaml": "port: 0\nprot: 1\n", "tables/b.yaml": "softDelete: 2\n"])
        let outcome = try workplace.run(command)
        #expect(outcome.code == 78)
        #expect(outcome.output == "")
        #expect(
            outcome.errors == """
                error: config/zumod.yaml:2: prot: unknown key; did you mean port?
                error: config/tables/b.yaml:1: softDelete: has to be true or false, not `2`

                """)
    }

    @Test(arguments: ["serve", "check", "token"])
    func `an OpenSSL without its default provider ends with 78 and is told`(command: String) throws {
        let workplace = try Workplace([
            "openssl.cnf": "openssl_conf = a\n[a]\nproviders = b\n[b]\nbase = c\n[c]\nactivate = 1\n"
        ])
        let outcome = try workplace.run(
            [command] + (command == "token" ? ["--user", "ann"] : []),
            environment: ["OPENSSL_CONF": "\(workplace.path)/config/openssl.cnf"])
        #expect(outcome.code == 78)
        #expect(outcome.errors.hasPrefix("error: openssl.cnf: OpenSSL has no SHA-256, SHA-384, "))
        #expect(outcome.errors.split(separator: "\n").count == 1)
    }

    @Test func `a database that can't be opened ends with 69`() throws {
        let workplace = try Workplace(["not-a-database": String(repeating: "words ", count: 1_000)])
        let outcome = try workplace.run("serve", "--port", "0", "--database", "sqlite:config/not-a-database")
        #expect(outcome.code == 69)
        #expect(outcome.errors.hasPrefix("error: database: "))
        let folder = try workplace.run("serve", "--port", "0", "--database", "sqlite:config")
        #expect(folder.code == 69)
    }

    @Test func `check tells the tables and leaves nothing behind`() throws {
        let workplace = try Workplace()
        let outcome = try workplace.run("check")
        #expect(outcome.code == 0)
        #expect(outcome.output == "TodoItem: text string; dynamic schema, soft delete, for anonymous\nok: 1 table\n")
        #expect(workplace.files == ["config"])
    }

    @Test func `check and serve warn of a table that is open to all the world, and go on`() throws {
        let workplace = try Workplace()
        let sentence = "config/tables/TodoItem.yaml: access: is missing, so the table TodoItem is open to everybody"
        let checked = try workplace.run("check", "--host", "0.0.0.0")
        #expect(checked.code == 0)
        #expect(checked.errors.hasPrefix("warning: \(sentence)"))
        #expect(checked.errors.split(separator: "\n").count == 1)
        #expect(checked.output.hasSuffix("ok: 1 table\n"))
        let daemon = try Daemon(workplace, arguments: ["--host", "0.0.0.0"])
        #expect(daemon.stop() == 0)
        #expect(daemon.logged.contains(" warning \(sentence)"))
        #expect(try workplace.run("check").errors == "")
    }

    @Test func `check tells that a database's folder can't be made`() throws {
        let workplace = try Workplace(["words": "no folder"])
        let outcome = try workplace.run("check", "--database", "sqlite:config/words/data/zumod.sqlite3")
        #expect(outcome.code == 78)
        #expect(outcome.errors.hasSuffix("config/words is no folder\n"))
        #expect(outcome.errors.hasPrefix("error: database: the folder "))
    }

    @Test func `check tells what a definition and an existing database can't agree on`() throws {
        let workplace = try Workplace()
        let daemon = try Daemon(workplace)
        #expect(daemon.stop() == 0)
        try workplace.write("columns: { text: number }\n", to: "tables/TodoItem.yaml")
        let outcome = try workplace.run("check")
        #expect(outcome.code == 78)
        #expect(outcome.errors.contains("text"))
    }

    @Test func `health ends with 0 when the server is ready, else with 69`() throws {
        let daemon = try Daemon(Workplace())
        let workplace = daemon.workplace
        let url = "http://127.0.0.1:\(daemon.port)"
        #expect(try workplace.run("health", "--url", url).code == 0)
        #expect(try workplace.run("health", environment: ["ZUMOD_PORT": "\(daemon.port)"]).code == 0)
        #expect(daemon.stop() == 0)
        let outcome = try workplace.run("health", "--url", url)
        #expect(outcome.code == 69)
        #expect(outcome.errors == "error: no server answers at 127.0.0.1:\(daemon.port)\n")
    }
}
