import Foundation
import Testing

/// What the pages on security promise without a condition is tried: each sentence that says so names its test.
@Suite struct `A promise` {
    /// A sentence or a row of a table, and the tests that it names.
    private struct Sentence: CustomStringConvertible {
        let text: String
        let tests: [(path: String, name: String)]
        var description: String { text }

        private static var citation: Regex<(Substring, Substring, Substring?)> { /`(Tests\/[^`]+)`(?:: ([^|)]+))?/ }

        init(_ written: String) {
            tests = written.matches(of: Self.citation).map { match in
                (String(match.1), match.2.map { $0.trimmingCharacters(in: .whitespaces) } ?? "")
            }
            // The name of a test is no promise of the page's.
            text = written.replacing(Self.citation, with: "")
        }

        var isPromise: Bool { text.lowercased().contains(/\b(can't|can’t|cannot|never|only)\b/) }
    }

    /// Rows of tables are a sentence each, as are lines of code; other lines are joined and parted at full stops.
    private static func sentences(of page: String) -> [Sentence] {
        var found: [String] = []
        var paragraph = ""
        var isCode = false
        func end() {
            // A full stop within a sentence has no blank behind it.
            let parted = paragraph.replacing(/[.](\*{0,2})[ ]/, with: { ".\($0.1)\n" })
            found += parted.split(separator: "\n").map(String.init)
            paragraph = ""
        }
        for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                end()
                isCode.toggle()
            } else if isCode || line.hasPrefix("|") {
                end()
                found.append(String(line))
            } else if line.isEmpty || line.hasPrefix("#") || line.hasPrefix("- ") {
                end()
                paragraph = String(line)
            } else {
                paragraph += " " + line.trimmingCharacters(in: .whitespaces)
            }
        }
        end()
        return found.map(Sentence.init)
    }

    @Test(arguments: ["docs/security.md", "SECURITY.md"])
    func `that something can't be, is never so or only so names a test that exists`(page: String) throws {
        let sentences = Self.sentences(of: try Repository.text(of: page))
        #expect(sentences.count > 10)
        for sentence in sentences where sentence.isPromise {
            #expect(!sentence.tests.isEmpty, "\(page) promises without a test: \(sentence)")
        }
        for (path, name) in sentences.flatMap(\.tests) {
            #expect(Repository.exists(path), "\(page) names \(path), which is gone")
            guard !name.isEmpty, Repository.exists(path) else { continue }
            let text = try Repository.text(of: path)
            #expect(
                text.contains("`\(name)`") || text.contains("\"\(name)\""), "\(page): \(path) has no test \(name)")
        }
    }

    @Test func `is found in prose, in tables and in code, and its test beside it`() {
        let page = """
            - Nobody can. They never do
              that. It is only so (`Tests/a.swift`: is only so).

            | It can't | `Tests/b.swift`: never does |
            ```
            only here
            ```
            """
        let promises = Self.sentences(of: page).filter(\.isPromise)
        #expect(promises.map(\.tests.count) == [0, 1, 1, 0])
        #expect(promises.flatMap(\.tests).map(\.name) == ["is only so", "never does"])
    }
}
