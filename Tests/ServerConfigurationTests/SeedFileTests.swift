import Scalars
import Tables
import Testing

@testable import ServerConfiguration

@Suite("Seed files")
struct SeedFileTests {
    private static let rows = "{\"id\": \"a\", \"text\": \"\\ud83d\\ude00\", \"n\": 1.5}\n\n{\"text\": null}\r\n"

    @Test(arguments: [("seed: rows.jsonl", "rows.jsonl"), ("", "Things.jsonl")])
    func `rows come from the named file, or from the one of the table's name`(text: String, file: String) throws {
        let directory = try ConfigurationDirectory(["tables/Things.yaml": text, "tables/\(file)": Self.rows])
        let configuration = try directory.read()
        #expect(configuration.notes.isEmpty)
        #expect(
            configuration.tables.first?.seed == [
                [Property("id", .text("a")), Property("text", .text("😀")), Property("n", .number(1.5))],
                [Property("text", .null)],
            ])
    }

    @Test(arguments: ["\u{2028}", "\u{2029}", "\u{85}"])
    func `a line ends where JSON Lines has its end, whatever else a text holds`(ending: String) throws {
        let directory = try ConfigurationDirectory([
            "tables/Things.yaml": "seed: rows.jsonl", "tables/rows.jsonl": "{\"text\": \"a\(ending)b\"}\n",
        ])
        #expect(try directory.read().tables.first?.seed == [[Property("text", .text("a\(ending)b"))]])
    }

    @Test(arguments: [
        ("{\"a\": 1}\n{\"a\": }", "rows.jsonl:2: is not JSON, see column 7"),
        ("[1]", "rows.jsonl:1: has to be one JSON object, a row"),
        ("{\"a\": {}}", "rows.jsonl:1: a: has to be a text, a number, true, false or null"),
        ("{\"a\": 1}\n{\"a\": \"b\"}", "rows.jsonl:2: `a` has to be a number, not a string"),
    ])
    func `a bad line is told with its number`(text: String, fault: String) throws {
        let directory = try ConfigurationDirectory(["tables/t.yaml": "seed: rows.jsonl", "tables/rows.jsonl": text])
        #expect(directory.faults() == ["tables/\(fault)"])
    }

    @Test(arguments: [
        ("1", Value.integer(1)), ("-1", .integer(-1)), ("1e3", .decimal(DecimalNumber(1_000))),
        ("true", .boolean(true)), ("~", .null),
        ("\"1\"", .text("1")), ("yes", .text("yes")), ("0x10", .text("0x10")), ("inf", .text("inf")),
        ("2026-11-21", .text("2026-11-21")), ("1.2.3", .text("1.2.3")),
    ])
    func `a plain word of YAML is what it would be in JSON, else text`(word: String, value: Value) throws {
        let directory = try ConfigurationDirectory(["tables/t.yaml": "seed: [ { a: \(word) } ]"])
        #expect(try directory.read().tables.first?.seed == [[Property("a", value)]])
    }
}
