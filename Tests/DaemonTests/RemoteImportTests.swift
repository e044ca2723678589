import Foundation
import PostgresTesting
import Synchronization
import Testing
import WireTesting

@Suite("Importing from another server", .ownThread)
struct RemoteImportTests {
    private static let everything = "/tables/TodoItem?__includeDeleted=true&$orderby=updatedAt&$top=1000"

    @Test(arguments: [false, true].filter { !$0 || SharedDatabase.server != nil })
    func `a copy is the same, and another run brings what was written since`(toPostgres: Bool) throws {
        let old = try Daemon(Workplace())
        let source = try old.client()
        for number in 1...60 {
            let body = #"{"id":"it's \#(number)","text":"text \#(number)","n":\#(number).5}"#
            #expect(try source.exchange("POST", "/tables/TodoItem", body).code == 201)
        }
        #expect(try source.exchange("DELETE", "/tables/TodoItem/it's 7").code == 200)
        let workplace = try Workplace()
        let shared = toPostgres ? try SharedDatabase() : nil
        let database = shared.map { ["--database", $0.url] } ?? []
        let command = ["import", "--from", "http://127.0.0.1:\(old.port)/", "--table", "todoitem"] + database
        let first = try workplace.run(command)
        #expect(first.code == 0 && first.output == "todoitem: 60 rows inserted\n", "\(first.errors)")
        #expect(first.errors.contains("todoitem: 60 rows read, through "))

        #expect(try source.exchange("PATCH", "/tables/TodoItem/it's 9", #"{"text":"edited"}"#).code == 200)
        #expect(try source.exchange("DELETE", "/tables/TodoItem/it's 8").code == 200)
        #expect(try source.exchange("POST", "/tables/TodoItem/it's 7").code == 201)
        #expect(try source.exchange("POST", "/tables/TodoItem", #"{"id":"new"}"#).code == 201)
        let second = try workplace.run(command)
        #expect(second.code == 0, "\(second.errors)")
        #expect(second.errors.contains("going on behind 60 rows"))
        #expect(second.output.hasPrefix("todoitem: 1 row inserted, 3 replaced"))

        let copy = try Daemon(workplace, arguments: database)
        #expect(try copy.client().exchange("GET", Self.everything).text == source.exchange("GET", Self.everything).text)
        #expect(copy.stop() == 0)
        let verified = try workplace.run(["verify"] + database)
        #expect(verified.code == 0 || verified.output.contains("the server's setting"), "\(verified.output)")
    }

    @Test func `what the other server asks for may stand in files or the environment`() throws {
        let old = try Daemon(
            Workplace([
                "zumod.yaml": "auth: { masterKey: 0123456789abcdef0123456789abcdef }",
                "tables/TodoItem.yaml": "access: admin",
            ]))
        let key = "X-ZUMO-MASTER: 0123456789abcdef0123456789abcdef"
        #expect(try old.client().exchange("POST", "/tables/TodoItem", #"{"id":"a"}"#, [key]).code == 201)
        let workplace = try Workplace()
        try workplace.write("\n  \(key) \n", to: "fields")
        let command = ["import", "--from", "http://127.0.0.1:\(old.port)", "--table", "TodoItem"]
        #expect(try workplace.run(command).code == 65)
        let copied = try workplace.run(command + ["--header", "@config/fields"])
        #expect(copied.output == "TodoItem: 1 row inserted\n", "\(copied.errors)")
        #expect(try workplace.run(command + ["--header", "@config/none"]).code == 74)
        #expect(try workplace.run(command + ["--token", "x", "--token-file", "config/fields"]).code == 64)
        #expect(old.stop() == 0)
    }

    @Test func `a copy that is killed goes on where it was, also when the source is edited meanwhile`() async throws {
        let definition = "columns: { text: string }\nsoftDelete: true\nmaxTop: 20\npageSize: 20\n"
        let old = try Daemon(Workplace(["tables/TodoItem.yaml": definition]))
        let source = try old.client()
        for number in 1...400 {
            #expect(try source.exchange("POST", "/tables/TodoItem", #"{"id":"\#(number)"}"#).code == 201)
        }
        let workplace = try Workplace()
        let gate = AnswerGate()
        let proxy = try RewritingProxy(to: old.port, changeAnswer: { _, _ in gate.pass() })
        defer {
            gate.letPass(.max)
            proxy.stop()
        }
        let command = ["import", "--from", "http://127.0.0.1:\(proxy.port)", "--table", "TodoItem"]
        for round in 1...3 {
            // Two say that a page may not be so large; behind some pages the copy waits for its end.
            gate.letPass(6)
            let process = workplace.process(command)
            process.standardError = FileHandle.nullDevice
            process.standardOutput = FileHandle.nullDevice
            try process.run()
            while process.isRunning, !gate.isHolding { try await Task.sleep(for: .milliseconds(5)) }
            // Rows behind the copy and before it.
            for id in [round, 400 - round] {
                #expect(try source.exchange("PATCH", "/tables/TodoItem/\(id)", #"{"text":"\#(round)"}"#).code == 200)
            }
            kill(process.processIdentifier, SIGKILL)
            process.waitForEnd()
            #expect(process.terminationReason == .uncaughtSignal)
        }
        gate.letPass(.max)
        let last = try workplace.run(command)
        #expect(last.code == 0 && last.errors.contains("going on behind"), "\(last.errors)")
        let copy = try Daemon(workplace)
        let rows = try copy.client().exchange("GET", Self.everything).rows
        #expect(rows.count == 400)
        var expected: [SeenRow] = []
        while expected.count < 400 {
            let page = "/tables/TodoItem?__includeDeleted=true&$orderby=updatedAt&$top=20&$skip=\(expected.count)"
            expected += try source.exchange("GET", page).rows
        }
        #expect(rows == expected)
        #expect(copy.stop() == 0)
    }

    @Test(.enabled(if: SharedDatabase.server != nil, "no server is given: run scripts/test-postgres"))
    func `more rows of one stamp than a page holds come whole`() throws {
        let shared = try SharedDatabase()
        let old = try Daemon(Workplace(), arguments: ["--database", shared.url])
        let source = try old.client()
        for number in 1...130 {
            #expect(try source.exchange("POST", "/tables/TodoItem", #"{"id":"\#(number)"}"#).code == 201)
        }
        try shared.session().run(
            """
            SET zumod.writes = 'on';
            UPDATE "TodoItem" SET "version" = "version" + 1000, "updatedAt" = '2020-01-01' WHERE "id" NOT LIKE '9%';
            """)
        #expect(old.stop() == 0)
        let definition = "columns: { text: string }\nsoftDelete: true\nmaxTop: 20\npageSize: 20\n"
        let narrow = try Daemon(
            Workplace(["tables/TodoItem.yaml": definition]), arguments: ["--database", shared.url])
        let workplace = try Workplace()
        let outcome = try workplace.run(
            "import", "--from", "http://127.0.0.1:\(narrow.port)", "--table", "TodoItem")
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.output.hasPrefix("TodoItem: 130 rows inserted"))
        #expect(try workplace.run("verify").output == "ok\n")
    }

    @Test func `a source that asks for a token gets it, and one that refuses is told`() throws {
        let workplace = try Workplace([
            "tables/TodoItem.yaml": "access: authenticated\n", "zumod.yaml": "auth: { signingKey: a-key-of-words }\n",
        ])
        let old = try Daemon(workplace)
        let token = try workplace.run("token", "--user", "me").output.trimmingCharacters(in: .newlines)
        let source = try old.client()
        let inserted = try source.exchange("POST", "/tables/TodoItem", #"{"id":"a"}"#, ["X-ZUMO-AUTH: \(token)"])
        #expect(inserted.code == 201)
        let command = ["import", "--from", "http://127.0.0.1:\(old.port)", "--table", "TodoItem"]
        let target = ["--database", "sqlite:copy.sqlite3"]
        let refused = try workplace.run(command + target)
        #expect(refused.code == 65)
        #expect(refused.errors.contains("answered 401"), "\(refused.errors)")
        for access in [["--token", token], ["--header", "X-ZUMO-AUTH: \(token)"]] {
            let outcome = try workplace.run(command + access + target)
            #expect(outcome.code == 0, "\(outcome.errors)")
        }
        #expect(try workplace.run(["export"] + target).output.contains(#"{"id":"a","#))
        let none = try workplace.run(["import", "--from", "http://127.0.0.1:\(old.port)", "--table", "Nope"] + target)
        #expect(none.code == 65 && none.errors.contains("answered 404"))
    }

    @Test(arguments: [
        (["--from", "ftp://x", "--table", "T"], "--from takes an address"), (["--from", "http://x"], "name the table"),
        (["--from", "http://x", "--table", "T", "--header", "none"], "--header takes"),
        (["--from", "http://x", "--table", "T", "a.jsonl"], "files and --from"),
        (["--token", "x", "a.jsonl"], "--from"),
    ])
    func `wrong usage ends with 64`(arguments: [String], words: String) throws {
        let outcome = try Workplace().run(["import"] + arguments)
        #expect(outcome.code == 64)
        #expect(outcome.errors.contains(words), "\(outcome.errors)")
    }
}

/// Lets so many answers pass, and holds the next ones until it is told anew.
private final class AnswerGate: Sendable {
    private let state = Mutex((round: 0, left: Int.max, isHolding: false))

    /// Whether one is held.
    var isHolding: Bool { state.withLock { $0.isHolding } }

    /// Lets those go that it holds, and so many more.
    func letPass(_ count: Int) {
        state.withLock { $0 = ($0.round + 1, count, false) }
    }

    /// On the thread of a connection.
    func pass() {
        let round = state.withLock { state -> Int? in
            guard state.left == 0 else {
                state.left -= 1
                return nil
            }
            state.isHolding = true
            return state.round
        }
        while let round, state.withLock({ $0.round == round }) { usleep(5_000) }
    }
}
