import Foundation
import Testing
import WireTesting

@Suite("Importing files", .ownThread)
struct ImportTests {
    /// A file that is refused, and the words.
    struct Refusal: Sendable, CustomStringConvertible {
        let file: String
        let content: String
        let words: String

        var description: String { words }
    }

    private static let header =
        #"{"zumod":"table","name":"TodoItem","columns":{"text":"string"},"softDelete":true,"integerIds":false}"#

    static let refusals = [
        Refusal(file: "TodoItem.jsonl", content: "", words: "TodoItem.jsonl holds no rows"),
        Refusal(
            file: "TodoItem.jsonl", content: "{\"id\":\"a\"}\n{]\n",
            words: "TodoItem.jsonl:2: is not JSON, see column 2"),
        Refusal(file: "TodoItem.jsonl", content: "[1]\n", words: "TodoItem.jsonl:1: has to be one JSON object, a row"),
        Refusal(file: "TodoItem.jsonl", content: "\n{\"text\":\"a\"}\n", words: "TodoItem.jsonl:2: has no id"),
        Refusal(file: "TodoItem.jsonl", content: #"{"id":7}"#, words: ":1: `id` has to be text in this table"),
        Refusal(
            file: "TodoItem.jsonl", content: #"{"id":"a","text":5}"#,
            words: ":1: `text` has to be a string, not a number"),
        Refusal(file: "TodoItem.jsonl", content: #"{"id":"a","x":[1]}"#, words: ":1: `x` is nested"),
        Refusal(
            file: "TodoItem.jsonl", content: #"{"id":"a","updatedAt":"soon"}"#,
            words: ":1: `updatedAt` has to be a date such as"),
        Refusal(
            file: "TodoItem.jsonl", content: #"{"id":"a","updatedAt":"9999-01-01T00:00:00Z"}"#,
            words: ":1: `updatedAt` is too far in the future"),
        Refusal(
            file: "TodoItem.jsonl", content: #"{"id":"a","version":"f/////////8="}"#,
            words: ":1: `version` has to be the base64 of eight bytes"),
        Refusal(
            file: "TodoItem.jsonl", content: #"{"id":"a","deleted":"no"}"#,
            words: ":1: `deleted` has to be true or false"),
        Refusal(file: "Other.jsonl", content: #"{"id":"a"}"#, words: "there is no table Other"),
        Refusal(
            file: "all.jsonl", content: header + "\n{\"id\":\"a\"}\n",
            words: "all.jsonl was cut off: the end of table TodoItem is missing"),
        Refusal(
            file: "all.jsonl",
            content: header + "\n{\"id\":\"a\"}\n{\"zumod\":\"end\",\"name\":\"TodoItem\",\"rows\":2}\n",
            words: "all.jsonl:3: the export of TodoItem had 2 rows, and 1 are here"),
        Refusal(
            file: "all.jsonl", content: #"{"zumod":"table","name":"No name"}"#,
            words: ":1: is a note of an export that this version can't read"),
        Refusal(
            file: "all.jsonl",
            content: #"{"zumod":"table","name":"TodoItem","columns":{},"softDelete":true,"integerIds":true}"#,
            words: ":1: the ids of table TodoItem are whole numbers here and text in the database"),
        Refusal(
            file: "TodoItem.jsonl", content: "{\"id\":\"a\"}\n{\"id\":\"b\"}\n{\"id\":\"a\"}\n",
            words: "TodoItem.jsonl:3: has the id a, as has the row at config/TodoItem.jsonl:1"),
        Refusal(file: "TodoItem.csv", content: "id,text\na,b,c\n", words: "TodoItem.csv:2: has 3 values for 2 columns"),
        Refusal(file: "TodoItem.csv", content: "id,text\n\"a\nb\",\"c\n", words: "TodoItem.csv:2: ends inside quotes"),
        Refusal(
            file: "TodoItem.csv", content: "id,text\na,b\"c\n", words: "TodoItem.csv:2: has a quote inside a value"),
    ]

    @Test(arguments: refusals) func `what can't be taken is told with file and line, and nothing is written`(
        _ refusal: Refusal
    ) throws {
        let workplace = try Workplace()
        // The rows before the fault would do.
        try workplace.write("{\"id\":\"first\",\"text\":\"x\"}\n", to: "good.jsonl")
        try workplace.write(refusal.content, to: refusal.file)
        let outcome = try workplace.run("import", "--table", "TodoItem", "config/good.jsonl")
        #expect(outcome.code == 0, "\(outcome.errors)")
        let refused = try workplace.run("import", "config/\(refusal.file)")
        #expect(refused.code == 65 && refused.output == "")
        #expect(refused.errors.contains(refusal.words), "\(refused.errors)")
        let rows = try workplace.run("export").output.split(separator: "\n")
        #expect(rows.count == 3)
    }

    @Test func `comma-separated values of a spreadsheet are taken, with its mark and without ids`() throws {
        let workplace = try Workplace(["tables/TodoItem.yaml": "columns: { text: string, complete: boolean }"])
        try workplace.write("\u{FEFF}text,complete\r\none,true\r\none,true\r\n", to: "TodoItem.csv")
        #expect(try workplace.run("import", "config/TodoItem.csv").output == "TodoItem: 2 rows inserted\n")
        #expect(try workplace.run("export").output.components(separatedBy: #""text":"one","complete":true"#).count == 3)
        // A row has the same id each time.
        let again = try workplace.run("import", "--skip-existing", "config/TodoItem.csv")
        #expect(again.output == "TodoItem: 0 rows inserted, 2 there already\n")
    }

    @Test func `controls in a file's words do nothing to the terminal, and make no lines`() throws {
        let workplace = try Workplace()
        try workplace.write("{\"id\":\"a\",\"te\\u001b[2Jxt\\r\\nok\":1}\n", to: "TodoItem.jsonl")
        let refused = try workplace.run("import", "config/TodoItem.jsonl")
        #expect(refused.code == 65)
        #expect(refused.errors.contains("xt\\u{d}\\u{a}ok"), "\(refused.errors)")
        #expect(refused.errors.contains("\\u{1b}[2J") && !refused.errors.contains("\u{1B}"), "\(refused.errors)")
    }

    @Test(arguments: [false, true].filter { !$0 || SharedDatabase.server != nil })
    func `rows go into a table of the database that the configuration doesn't name`(toPostgres: Bool) throws {
        let workplace = try Workplace(["tables/TodoItem.yaml": "columns: { due: date }\nsoftDelete: true"])
        let shared = toPostgres ? try SharedDatabase() : nil
        let database = shared.map { ["--database", $0.url] } ?? []
        try workplace.write(#"{"id":"a","deleted":true}"#, to: "TodoItem.jsonl")
        #expect(try workplace.run(["import", "config/TodoItem.jsonl"] + database).code == 0)
        // As of a project that `serve --app` serves.
        try FileManager.default.removeItem(atPath: "\(workplace.path)/config/tables/TodoItem.yaml")
        try workplace.write("id,due\nb,2014-05-01 12:34:56.1234567 +02:00\nc,NULL\n", to: "TodoItem.csv")
        let imported = try workplace.run(["import", "config/TodoItem.csv"] + database)
        #expect(imported.output.hasPrefix("TodoItem: 2 rows inserted\nnote: the configuration doesn't name TodoItem"))
        let rows = try workplace.run(["export"] + database).output
        #expect(rows.contains(#""id":"b""#) && rows.contains(#""due":"2014-05-01T10:34:56.123Z""#))
        #expect(rows.contains(#""softDelete":true"#) && rows.contains(#""deleted":true"#))
        let shown = try workplace.run(["table", "show", "TodoItem"] + database)
        #expect(shown.code == 78 && shown.errors.contains("though the database has it"), "\(shown.errors)")
        let purged = try workplace.run(["table", "purge", "TodoItem", "--older-than", "0s"] + database)
        #expect(purged.code == 0, "\(purged.errors)")
        #expect(try !workplace.run(["export"] + database).output.contains(#""id":"a""#))
    }

    @Test func `rows that are there already are refused, kept or replaced`() throws {
        let workplace = try Workplace()
        try workplace.write("id,text,updatedAt\na,one,2026-01-01T00:00:00Z\n", to: "TodoItem.csv")
        #expect(try workplace.run("import", "config/TodoItem.csv").output == "TodoItem: 1 row inserted\n")
        try workplace.write(
            "id,text,updatedAt\nnew,x,2026-01-02T00:00:00Z\na,two,2026-01-03T00:00:00Z\n", to: "TodoItem.csv")
        let refused = try workplace.run("import", "config/TodoItem.csv")
        #expect(refused.code == 65)
        #expect(refused.errors.contains("config/TodoItem.csv:3: the table has a row with the id a already"))
        #expect(try !workplace.run("export").output.contains("\"new\""))
        let trial = try workplace.run("import", "--skip-existing", "--dry-run", "config/TodoItem.csv")
        #expect(trial.code == 0 && trial.output == "nothing is wrong; nothing was written\n")
        let kept = try workplace.run("import", "--skip-existing", "config/TodoItem.csv")
        #expect(kept.output == "TodoItem: 1 row inserted, 1 there already\n")
        #expect(try workplace.run("export").output.contains("\"one\""))
        let replaced = try workplace.run("import", "--replace", "config/TodoItem.csv")
        #expect(replaced.output == "TodoItem: 0 rows inserted, 2 replaced\n")
        #expect(try workplace.run("export").output.contains("\"two\""))
    }

    @Test func `renewed rows reach clients that sync with the server`() throws {
        let daemon = try Daemon(Workplace())
        let client = try daemon.client()
        let seen = try client.exchange("POST", "/tables/TodoItem", #"{"id":"seen"}"#).row
        let old = #"{"id":"old","updatedAt":"2020-01-01T00:00:00.000Z","version":"AAAAAAAAAAE=","text":"x"}"#
        try daemon.workplace.write(old, to: "TodoItem.jsonl")
        #expect(try daemon.workplace.run("import", "--renew", "config/TodoItem.jsonl").code == 0)
        let pull = "/tables/TodoItem?$filter=updatedAt gt datetimeoffset'\(seen.updatedAt)'"
        let rows = try client.exchange("GET", pull).rows
        #expect(rows.map(\.id) == ["old"])
        #expect(rows.allSatisfy { $0.counter > seen.counter })
        #expect(daemon.stop() == 0)
    }

    @Test func `a thousand rows with one stamp get stamps of their own`() throws {
        let workplace = try Workplace()
        let lines = (1...1_500).map { #"{"id":"r\#($0)","updatedAt":"2020-01-01T00:00:00.000Z"}"# }
        try workplace.write(lines.joined(separator: "\n"), to: "TodoItem.jsonl")
        let outcome = try workplace.run("import", "config/TodoItem.jsonl")
        #expect(
            outcome.output == "TodoItem: 1500 rows inserted, 1499 with a later stamp, since another row had theirs\n")
        #expect(try workplace.run("verify").output == "ok\n")
    }

    @Test(arguments: [
        (["import"], "name a file"), (["import", "x", "--replace", "--skip-existing"], "exclude each other"),
        (["export", "--format", "xml"], "jsonl or csv"),
        (["table", "purge", "x", "--older-than", "30"], "--older-than takes"),
    ])
    func `wrong usage ends with 64`(arguments: [String], words: String) throws {
        let outcome = try Workplace().run(arguments)
        #expect(outcome.code == 64)
        #expect(outcome.errors.contains(words))
    }
}
