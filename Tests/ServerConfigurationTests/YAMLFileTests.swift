import Foundation
import Testing

@testable import ServerConfiguration

@Suite("YAML files")
struct YAMLFileTests {
    /// A line for each value below the root: where it is written, its key, and what it is.
    private static func lines(_ text: String) throws(ConfigurationFault) -> [String] {
        func lines(_ value: ConfigurationValue) -> [String] {
            let place = "\(value.origin) \(value.key)".dropFirst(2)
            return switch value.form {
            case .empty: ["\(place)"]
            case .text(let text, let quoted): [quoted ? "\(place) \"\(text)\"" : "\(place) \(text)"]
            case .list(let items): ["\(place) [\(items.count)]"] + items.flatMap(lines)
            case .members(let members): ["\(place) {\(members.count)}"] + members.flatMap { lines($0.value) }
            }
        }
        return Array(lines(try YAMLFile.parse(text, path: "f")).dropFirst())
    }

    private static func fault(_ text: String) -> String? {
        do throws(ConfigurationFault) {
            _ = try YAMLFile.parse(text, path: "f")
            return nil
        } catch {
            return error.description
        }
    }

    @Test(arguments: [
        // An alias: the key's line, or in a list the anchor's; all within it under the new key.
        ("a: &x 1\nb: *x", ["1 a 1", "2 b 1"]),
        ("a: &x 1\nb:\n- *x", ["1 a 1", "2 b [1]", "1 b[0] 1"]),
        (
            "a:\n  &x {b: [1, ~]}\nc: *x",
            ["1 a {1}", "2 a.b [2]", "2 a.b[0] 1", "2 a.b[1]", "3 c {1}", "2 c.b [2]", "2 c.b[0] 1", "2 c.b[1]"]
        ),
        ("[a]: &x {b: 1}\nc: *x", ["1  {1}", "1 b 1", "2 c {1}", "1 c.b 1"]),
        (
            "- &x [1]\n- &y [*x]\n- *y",
            [
                "1 [0] [1]", "1 [0][0] 1", "2 [1] [1]", "1 [1][0] [1]", "1 [1][0][0] 1",
                "2 [2] [1]", "1 [2][0] [1]", "1 [2][0][0] 1",
            ]
        ),
        // A later anchor of the same name takes the place of the first; what was resolved stays.
        (
            "- &x 1\n- &y [*x]\n- &x 2\n- *x\n- *y",
            [
                "1 [0] 1", "2 [1] [1]", "1 [1][0] 1", "3 [2] 2", "3 [3] 2",
                "2 [4] [1]", "1 [4][0] 1",
            ]
        ),
        ("&x a: 1\nb: {*x : 2}", ["1 a 1", "2 b {1}", "1 b.a 2"]),
        ("&x ~: 1\nb: *x\nc: {*x : 2}", ["1 ~ 1", "2 b", "3 c {1}", "1 c.~ 2"]),
        // Tags say nothing, quotes do.
        ("- !!int x\n- !!null y\n- !!str ~\n- ! ~\n- !<a> 1", ["1 [0] x", "2 [1] y", "3 [2]", "4 [3]", "5 [4] 1"]),
        ("%TAG !e! tag:x,1:\n---\n- !e!y {a: 1}", ["3 [0] {1}", "3 [0].a 1"]),
        (
            "- '~'\n- \"null\"\n- Null\n- NULL\n- nULL\n-",
            [
                "1 [0] \"~\"", "2 [1] \"null\"", "3 [2]", "4 [3]",
                "5 [4] nULL", "6 [5]",
            ]
        ),
        // Blocks of text.
        ("a: |\n  x\n   y\n\nb: >-\n  x\n  y\n\n  z", ["1 a x\n y\n", "5 b x y\nz"]),
        ("a: |+\n  x\n\nb: |2\n    x\nc: |\n", ["1 a x\n\n", "4 b   x\n", "6 c"]),
        ("a: x\n  y\n\n  z", ["1 a x y\nz"]),
        // Escapes, of a zero too; a byte order mark, and every kind of line's end.
        (#"["\x41\u00e9\U0001F600\n", "a\0b"]"#, ["1 [0] \"Aé😀\n\"", "1 [1] \"a\0b\""]),
        (
            "\u{feff}a: 1\r\nb: 2\rc: 3\nd: 4\u{85}e: 5\u{2028}f: 6",
            [
                "1 a 1", "2 b 2", "3 c 3", "4 d 4", "5 e 5",
                "6 f 6",
            ]
        ),
        // Keys as they stand; a list or a mapping is none, however often it stands.
        ("1: a\ntrue: b\n'': c\n<<: d", ["1 1 a", "2 true b", "3  c", "4 << d"]),
        ("? [a]\n: 1\n? {b: 2}\n: 3\n? [a]", ["1  1", "3  3", "5 "]),
        ("[a: b, ? c]", ["1 [0] {1}", "1 [0].a b", "1 [1] {1}", "1 [1].c"]),
        ("a: {b, c: }", ["1 a {2}", "1 a.b", "1 a.c"]),
        ("--- # x\n- 1\n...\n# y", ["2 [0] 1"]),
        ("", []), ("\u{feff}", []), ("---", []), ("# x", []),
    ])
    func `are read into values with their lines and keys`(text: String, lines: [String]) throws {
        #expect(try Self.lines(text) == lines)
    }

    @Test(arguments: [
        ("- *x\n- &x 1", "f:1: found undefined alias"),
        ("- &x [*x]", "f:1: found undefined alias"),
        ("- &x\n  a:\n  - *x", "f:3: found undefined alias"),
        ("\n*x", "f:2: found undefined alias"),
        ("a: 1\n---\nb: 2", "f:2: but found another document"),
        ("a: 1\n...\n---\n", "f:3: but found another document"),
        ("b: 1\na: 1\nb: 2\na: 2", "f:2: a: is written more than once"),
        ("a:\n- {b: 1}\n- b: 1\n  b: 2\na: 1", "f:3: b: is written more than once"),
        ("é: 1\ne\u{301}: 2", "f:1: é: is written more than once"),
        ("? {a: 1, a: 2}\n: 1", "f:1: a: is written more than once"),
        ("a: \0", "f: control characters are not allowed"),
        ("\0", "f: control characters are not allowed"),
        ("a: \u{fffe}", "f: control characters are not allowed"),
        ("a: 'b\n\n", "f:3: found unexpected end of stream"),
        ("%YAML 1.1\n%YAML 1.1\n---", "f:2: found duplicate %YAML directive"),
    ])
    func `are told with the line where they are wrong`(text: String, fault: String) {
        #expect(Self.fault(text) == fault)
    }

    @Test func `what can't be read is told without a line`() throws {
        let directory = try ConfigurationDirectory(["empty": ""])
        let texts: [(String, [UInt8])] = [
            ("latin", [0x61, 0xE9]), ("cut", [0x61, 0xC3]), ("half", [0xED, 0xA0, 0x80]),
        ]
        for (name, bytes) in texts {
            let path = "\(directory.path)/\(name)"
            try Data(bytes).write(to: URL(filePath: path))
            #expect(throws: ConfigurationFault(.file(path, line: 0), key: nil, "can't be read as UTF-8 text")) {
                try YAMLFile.read(path)
            }
        }
        for path in ["\(directory.path)/none", directory.path] {
            #expect(throws: ConfigurationFault(.file(path, line: 0), key: nil, "can't be read as UTF-8 text")) {
                try YAMLFile.read(path)
            }
        }
        #expect(try YAMLFile.read("\(directory.path)/empty").isEmpty)
    }
}
