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

    /// A name that the page says is taken no more, and the term in its place.
    private struct FormerName {
        /// The folder in which it is taken no more; nil for all.
        let folder: String?
        let name: String
        /// Whether no other name may have it in itself.
        let isPart: Bool
        let term: String

        /// - Parameter word: `name`, `…part…` or `Folder/name`.
        init(_ word: Substring, term: String) {
            let parts = word.split(separator: "/")
            folder = parts.count == 2 ? String(parts[0]) : nil
            isPart = word.hasPrefix("…")
            name = parts.last.map { $0.filter { $0 != "…" } } ?? ""
            self.term = term
        }

        /// Those of a row of the page's table; none for another line.
        static func all(in line: Substring) -> [FormerName] {
            let cells = line.split(separator: "|", omittingEmptySubsequences: false)
            guard cells.count == 4, cells[1].contains("`") else { return [] }
            let words = cells[1].split(separator: "`").filter { !$0.allSatisfy { $0 == " " || $0 == "," } }
            return words.map { FormerName($0, term: cells[2].trimmingCharacters(in: .whitespaces)) }
        }

        /// Whether a file has it. One with a capital is the name of a type or a file, and another one that of a variable.
        func isTaken(in source: Source) -> Bool {
            let folders = source.path.split(separator: "/").dropLast()
            guard folder.map({ folders.contains(Substring($0)) }) ?? true else { return false }
            if isPart {
                guard source.mentions(name, inAnyCase: true) else { return false }
                return (source.types + source.variables + [source.name]).contains {
                    $0.lowercased().contains(name.lowercased())
                }
            }
            guard source.mentions(name, inAnyCase: false) else { return false }
            return name.first?.isUppercase == true
                ? (source.types + [source.name]).contains(name) : source.variables.contains(name)
        }
    }

    /// A Swift file.
    private struct Source {
        let path: String
        let text: String
        private let bytes: Data
        private let loweredBytes: Data

        init(_ path: String, _ text: String) {
            self.path = path
            self.text = text
            bytes = Data((path + "\n" + text).utf8)
            loweredBytes = Data((path + "\n" + text).lowercased().utf8)
        }

        var name: String { path.split(separator: "/").last?.split(separator: ".").first.map(String.init) ?? "" }
        var types: [String] { DeclaredNames.types(in: text) }
        var variables: Set<String> { DeclaredNames.variables(in: text) }

        /// Whether it has a word anywhere: few files do, and to look for names takes longer.
        func mentions(_ word: String, inAnyCase: Bool) -> Bool {
            inAnyCase
                ? loweredBytes.range(of: Data(word.lowercased().utf8)) != nil
                : bytes.range(of: Data(word.utf8)) != nil
        }
    }

    private static func lines() throws -> [Substring] {
        try Repository.text(of: "docs/glossary.md").split(separator: "\n")
    }

    @Test func `each type that stands for a term is there`() throws {
        let terms = try Self.lines().compactMap(Term.init)
        #expect(terms.count >= 50)
        #expect(terms.count { $0.type != nil } >= 40)
        let files = Repository.swiftFiles(below: "Sources")
        let declared = try Set(files.flatMap { try DeclaredNames.types(in: Repository.text(of: $0)) })
        for term in terms {
            if let type = term.type { #expect(declared.contains(type), "\(term.name): there is no \(type)") }
        }
    }

    @Test func `no type, file or variable has a name that is taken no more`() throws {
        let formerNames = try Self.lines().flatMap(FormerName.all)
        #expect(formerNames.count >= 30)
        for path in Repository.swiftFiles(below: "Sources") {
            let source = Source(path, try Repository.text(of: path))
            for former in formerNames where former.isTaken(in: source) {
                Issue.record("\(path) has the name \(former.name); the term is: \(former.term)")
            }
        }
    }

    @Test func `no two files declare a type of the same name at their top level`() throws {
        var places: [String: String] = [:]
        for path in Repository.swiftFiles(below: "Sources") {
            for type in try DeclaredNames.topLevelTypes(in: Repository.text(of: path)) {
                if let other = places.updateValue(path, forKey: type) {
                    Issue.record("\(type) is declared in \(other) and in \(path)")
                }
            }
        }
        #expect(places.count >= 500)
    }

    @Test func `a type that is only spoken of is none that is there`() {
        let text = "/// struct Spoken\nlet a = Used()\npublic final class There<Row>: Sendable {\n    enum Inner {}"
        #expect(DeclaredNames.types(in: text) == ["There", "Inner"])
        #expect(DeclaredNames.topLevelTypes(in: text + "\npublic import struct Other.Type") == ["There"])
    }

    @Test func `variables are found where they are declared, and nowhere else`() {
        let text = #"""
            let first = spoken.spoken(second: "let quoted: \"quoted:\"")
            let (fourth, fifth) = spoken  // var spoken: Int
            func spoken(_ sixth: Spoken, of seventh: [Spoken]) { Spoken(eighth: spoken ? spoken : spoken) }
            for ninth in spoken { spoken { [spoken] tenth, eleventh throws in spoken } }
            case twelfth
            """#
        let found = DeclaredNames.variables(in: text)
        for name in [
            "first", "second", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth",
        ] {
            #expect(found.contains(name), "\(name)")
        }
        #expect(found.isDisjoint(with: ["spoken", "Spoken", "quoted"]))
    }

    @Test(arguments: [
        ("…departure…", "final class ADepartureNote {}", "Sources/a/B.swift"),
        ("…departure…", "", "Sources/a/Departures.swift"),
        ("…departure…", "let lastDeparture = 1", "Sources/a/B.swift"),
        ("Sender", "struct Sender {}", "Sources/a/B.swift"),
        ("Sender", "", "Sources/a/Sender.swift"), ("sender", "func take(_ sender: Int) {}", "Sources/a/B.swift"),
        ("a/visit", "take { visit, row in visit.go() }", "Sources/a/b/C.swift"),
    ])
    func `a name that is taken no more is found`(word: String, text: String, path: String) {
        #expect(FormerName(Substring(word), term: "").isTaken(in: Source(path, text)))
    }

    @Test(arguments: [
        ("Sender", "struct WebhookSender {}\nlet sender = 1", "Sources/a/WebhookSender.swift"),
        ("sender", "struct Sender {}\nsender.send()", "Sources/a/B.swift"),
        ("a/visit", "let visit = 1", "Sources/b/C.swift"),
    ])
    func `another name is none that is taken no more`(word: String, text: String, path: String) {
        #expect(!FormerName(Substring(word), term: "").isTaken(in: Source(path, text)))
    }
}
