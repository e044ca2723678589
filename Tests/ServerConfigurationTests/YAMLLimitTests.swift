import Foundation
import Testing

@testable import ServerConfiguration

@Suite("Limits of YAML files")
struct YAMLLimitTests {
    private static let tooDeep = "is nested deeper than 100 levels"
    private static let tooMany = "has more than 100000 values, aliases counted as often as they stand"
    private static let tooLong = "comes to more than 16 MiB, aliases counted as often as they stand"

    /// What is said of a text, with its line.
    private static func fault(_ text: String) -> String? {
        do throws(ConfigurationFault) {
            _ = try YAMLFile.parse(text, path: "f")
            return nil
        } catch {
            return error.description
        }
    }

    private static func lists(_ levels: Int) -> String {
        String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
    }

    /// A list of ones.
    private static func ones(_ count: Int) -> String {
        "[" + String(repeating: "1,", count: count) + "]"
    }

    @Test(arguments: [(99, nil), (100, nil), (101, "f:1: \(tooDeep)"), (100_000, "f:1: \(tooDeep)")])
    func `lists and mappings stand in one another a hundred deep`(levels: Int, fault: String?) {
        #expect(Self.fault(Self.lists(levels)) == fault)
        #expect(
            Self.fault(String(repeating: "{a: ", count: levels) + "1" + String(repeating: "}", count: levels)) == fault)
        #expect(Self.fault(String(repeating: "- ", count: levels) + "1") == fault)
        #expect(Self.fault("? " + Self.lists(levels - 1)) == fault)
    }

    @Test func `what an alias stands for is as deep as it and its place`() {
        // The mapping, then 60 lists, and 39 or 40 around the alias.
        for (levels, fault) in [(38, nil), (39, nil), (40, "f:2: \(Self.tooDeep)")] {
            let place = String(repeating: "[", count: levels) + "*x" + String(repeating: "]", count: levels)
            #expect(Self.fault("a: &x \(Self.lists(60))\nb: \(place)") == fault)
        }
        let chain = (1...1_000).map { "- &a\($0) [*a\($0 - 1)]\n" }.joined()
        #expect(Self.fault("- &a0 1\n" + chain) == "f:101: \(Self.tooDeep)")
    }

    @Test(arguments: [(99_998, nil), (99_999, nil), (100_000, "f:1: \(tooMany)")])
    func `a file has a hundred thousand values, the list with them among these`(items: Int, fault: String?) {
        #expect(Self.fault(Self.ones(items)) == fault)
    }

    @Test(arguments: [("", nil), ("c: 1", nil), ("c: 1\nd: 1", "f:4: \(tooMany)")])
    func `what an alias stands for counts as often as it stands`(rest: String, fault: String?) {
        // The mapping, and twice a list with its items: one less than a hundred thousand.
        #expect(Self.fault("a: &x \(Self.ones(49_998))\nb: *x\n\(rest)") == fault)
    }

    @Test func `values of a mapping count without their keys`() {
        for (members, fault) in [(99_998, nil), (99_999, nil), (100_000, "f:100000: \(Self.tooMany)")] {
            #expect(Self.fault((1...members).map { "k\($0): 1\n" }.joined()) == fault)
        }
    }

    @Test(arguments: ["&new [*old, *old]", "&new {a: *old, b: *old}", "? &new [*old, *old]"])
    func `aliases of aliases are given up at the limit, and don't come to what they stand for`(item: String) {
        let doubled = (1...64).map { number in
            "- " + item.replacing("new", with: "a\(number)").replacing("old", with: "a\(number - 1)") + "\n"
        }
        #expect(Self.fault("- &a0 [x]\n" + doubled.joined())?.hasSuffix(Self.tooMany) == true)
    }

    @Test func `the values and their keys come to 16 MiB`() {
        let most = YAMLTree.mostBytes
        #expect(most == 16 << 20)
        for (count, fault) in [(most - 1, nil), (most, nil), (most + 1, "f:1: \(Self.tooLong)")] {
            #expect(Self.fault(String(repeating: "x", count: count)) == fault)
        }
        // The text at sixteen places, and their keys, `[0]` to `[15]`.
        let keys = 10 * 3 + 6 * 4
        for (count, fault) in [(most - keys, nil), (most - keys + 1, "f:16: \(Self.tooLong)")] {
            let text = String(repeating: "x", count: count / 16)
            let rest = String(repeating: "y", count: count % 16)
            #expect(Self.fault("- &x \(text)\n" + String(repeating: "- *x\n", count: 14) + "- \(text)\(rest)") == fault)
        }
    }

    @Test func `a long key counts for each value below it`() {
        let key = String(repeating: "k", count: 1_000)
        #expect(Self.fault("\(key):\n- \(Self.ones(16_000))") == nil)
        #expect(Self.fault("\(key):\n- \(Self.ones(17_000))") == "f:2: \(Self.tooLong)")
        // An alias too can be a key, of a place where many values are.
        #expect(Self.fault("a: &k \(key)\n*k : \(Self.ones(17_000))") == "f:2: \(Self.tooLong)")
    }

    @Test func `a file is at most 16 MiB long`() throws {
        let directory = try ConfigurationDirectory()
        let path = "\(directory.path)/zumod.yaml"
        for (count, fault) in [
            (YAMLTree.mostBytes - 1, nil), (YAMLTree.mostBytes, nil),
            (YAMLTree.mostBytes + 1, "zumod.yaml: is larger than 16 MiB"),
        ] {
            try Data(repeating: UInt8(ascii: "\n"), count: count).write(to: URL(filePath: path))
            #expect(directory.faults() == [fault].compactMap(\.self))
        }
    }

    @Test func `a file begins with a hundred directives at most`() {
        func with(_ count: Int) -> String {
            "# x\n" + (1...count).map { "%TAG !a\($0)! tag:x,2000:\n" }.joined() + "---\na: 1\n"
        }
        #expect(Self.fault(with(99)) == nil)
        #expect(Self.fault(with(100)) == nil)
        for count in [101, 60_000] {
            #expect(Self.fault(with(count)) == "f:1: begins with more than 100 directives, lines with a %")
        }
    }
}
