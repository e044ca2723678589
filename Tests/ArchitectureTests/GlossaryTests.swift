import Foundation
import Testing

@Suite("The glossary")
struct GlossaryTests {
    /// A term of the page, and the type that stands for it, where there is one.
    private struct Term {
        let name: String
        let type: String?

        /// - Returns: nil for what is no row of a term.
        init?(_ line: Substring) {
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
            guard cells.count == 5, !cells[1].hasPrefix("-"), cells[1] != " term " else { return nil }
            name = cells[1].trimmingCharacters(in: .whitespaces)
            type = cells[3].split(separator: "`").count > 1 ? String(cells[3].split(separator: "`")[1]) : nil
        }
    }

    /// The types that a text declares.
    private static func types(in text: String) -> [String] {
        text.split(separator: "\n").compactMap { line in
            let words = line.split { $0 == " " || $0 == ":" || $0 == "<" || $0 == "{" }
            guard words.first?.hasPrefix("//") == false,
                let keyword = words.firstIndex(where: { ["struct", "class", "enum", "protocol"].contains($0) })
            else { return nil }
            return words.dropFirst(keyword + 1).first.map(String.init)
        }
    }

    @Test func `each type that stands for a term is there`() throws {
        let terms = try Repository.text(of: "docs/glossary.md").split(separator: "\n").compactMap(Term.init)
        #expect(terms.count >= 50)
        #expect(terms.count { $0.type != nil } >= 40)
        let files = Repository.swiftFiles(below: "Sources")
        let declared = try Set(files.flatMap { try Self.types(in: Repository.text(of: $0)) })
        for term in terms {
            if let type = term.type { #expect(declared.contains(type), "\(term.name): there is no \(type)") }
        }
    }

    @Test func `a type that is only spoken of is none that is there`() {
        let text = "/// struct Spoken\nlet a = Used()\npublic final class There<Row>: Sendable {"
        #expect(Self.types(in: text) == ["There"])
    }
}
