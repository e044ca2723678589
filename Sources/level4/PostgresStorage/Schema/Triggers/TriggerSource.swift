import ByteText
import Tables

/// The source of a trigger's function, as far as it shows which of zumod's columns the trigger sets.
///
/// It is scanned by words, not fully parsed: if something can't be distinguished from an assignment, it counts as one.
struct TriggerSource {
    /// A word of PL/pgSQL: unquoted names are folded, and texts are without their quotes.
    enum Word: Equatable {
        case name(String)
        case text(String)
        case symbol(Character)
        case assign

        /// Whether it is a keyword, or a name that is spelled like one.
        func isKey(_ key: String) -> Bool { self == .name(key) }
    }

    /// What a trigger sets in the row that is being written.
    enum Assignment: Hashable {
        case column(SystemColumn)
        case wholeRow
    }

    private let words: [Word]
    private let table: String
    /// The names of the row that is being written.
    private var rows: Set<ExactText> = [ExactText("new")]

    /// - Parameter table: the table's name as the database spells it.
    init(_ source: String, of table: String) {
        words = Self.words(of: source)
        self.table = table
        for (index, word) in words.enumerated() where word.isKey("alias") && index > 0 {
            guard key(index + 1) == "for", key(index + 2) == "new", let name = key(index - 1) else { continue }
            rows.insert(ExactText(name))
        }
    }

    /// What the function sets if it runs before a row is written and returns the row.
    var assignments: Set<Assignment> {
        var found: Set<Assignment> = []
        for index in words.indices {
            if startsStatement(index), let (target, next) = target(at: index), isAssigned(next) { found.insert(target) }
            if words[index].isKey("into") { found.formUnion(targets(behind: index + 1)) }
            if words[index].isKey("return"), answersAnotherRow(index + 1) { found.insert(.wholeRow) }
        }
        return found
    }

    /// What the function sets by an UPDATE of the table itself, even one that is assembled from texts.
    var updates: Set<SystemColumn> {
        var found = updates(in: words, isOwn: false)
        guard words.contains(.name("execute")) else { return found }
        for case .text(let text) in words { found.formUnion(updates(in: Self.words(of: text), isOwn: true)) }
        return found
    }

    /// Returns the columns that are mentioned, for languages other than PL/pgSQL.
    static func mentioned(in source: String) -> Set<SystemColumn> {
        let names = names(in: source)
        return Set(SystemColumn.allCases.filter { names.contains(ExactText($0.rawValue)) })
    }

    /// Returns everything that may be a name, in any language.
    static func names(in source: String) -> Set<ExactText> {
        Set(source.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map { ExactText(String($0)) })
    }

    private func key(_ index: Int) -> String? {
        guard words.indices.contains(index), case .name(let name) = words[index] else { return nil }
        return name
    }

    /// Whether the word may start a statement.
    private func startsStatement(_ index: Int) -> Bool {
        guard index > 0 else { return true }
        switch words[index - 1] {
        case .symbol(";"), .symbol(">"): return true
        case .name(let name): return ["begin", "then", "else", "loop", "diagnostics"].contains(name)
        default: return false
        }
    }

    private func isAssigned(_ index: Int) -> Bool {
        words.indices.contains(index) && (words[index] == .assign || words[index] == .symbol("="))
    }

    /// Returns the row's column, or the row, that is named at an index, and the index after it.
    private func target(at index: Int) -> (Assignment, next: Int)? {
        guard let row = key(index), rows.contains(ExactText(row)) else { return nil }
        guard words.indices.contains(index + 1), words[index + 1] == .symbol(".") else { return (.wholeRow, index + 1) }
        guard let name = key(index + 2), let column = SystemColumn(rawValue: name) else { return nil }
        return (.column(column), index + 3)
    }

    /// Returns the targets of INTO.
    private func targets(behind start: Int) -> Set<Assignment> {
        var (found, index): (Set<Assignment>, Int) = ([], start)
        if key(index) == "strict" { index += 1 }
        while key(index) != nil {
            if let (target, _) = target(at: index) { found.insert(target) }
            index += 1
            while index < words.count, words[index] == .symbol(".") { index += 2 }
            guard index < words.count, words[index] == .symbol(",") else { break }
            index += 1
        }
        return found
    }

    /// Whether RETURN has anything but the rows at hand.
    private func answersAnotherRow(_ start: Int) -> Bool {
        for word in words[min(start, words.count)...] {
            switch word {
            case .symbol(";"): return false
            case .name(let name):
                let plain = [
                    "old", "null", "coalesce", "case", "when", "then", "else", "end", "tg_op", "in", "is", "not",
                ]
                if !plain.contains(name), !rows.contains(ExactText(name)) { return true }
            case .symbol("#"): return true
            case .text, .symbol, .assign: continue
            }
        }
        return false
    }

    /// - Parameter isOwn: whether a SET without a table refers to this table.
    private func updates(in words: [Word], isOwn: Bool) -> Set<SystemColumn> {
        var found: Set<SystemColumn> = []
        var isOwnNow = isOwn
        for (index, word) in words.enumerated() {
            if word == .symbol(";") { isOwnNow = isOwn }
            if word.isKey("update") || word.isKey("into"), let name = Self.name(in: words[(index + 1)...]) {
                isOwnNow = name == table
            }
            if word.isKey("set"), isOwnNow { found.formUnion(Self.set(by: words[(index + 1)...])) }
        }
        return found
    }

    /// Returns the name of a table, without its schema; nil if the words don't start with one.
    private static func name(in words: ArraySlice<Word>) -> String? {
        var rest = words
        if rest.first == .name("only") { rest.removeFirst() }
        guard case .name(var name)? = rest.popFirst(), name != "set" else { return nil }
        while rest.popFirst() == .symbol("."), case .name(let next)? = rest.popFirst() { name = next }
        return name
    }

    /// Returns the columns between SET and its end.
    private static func set(by words: ArraySlice<Word>) -> Set<SystemColumn> {
        var found: Set<SystemColumn> = []
        var (depth, isTarget, previous) = (0, true, [SystemColumn]())
        for word in words {
            switch word {
            case .symbol(";"): return found
            case .symbol("("): depth += 1
            case .symbol(")"): depth -= 1
            case .symbol(","): if depth == 0 { (isTarget, previous) = (true, []) }
            case .symbol("="), .assign:
                if isTarget { found.formUnion(previous) }
                (isTarget, previous) = (false, [])
            case .name(let name):
                if depth == 0, ["where", "from", "returning"].contains(name) { return found }
                if isTarget, let column = SystemColumn(rawValue: name) { previous.append(column) }
            case .text, .symbol: continue
            }
            if depth < 0 { return found }
        }
        return found
    }
}

extension TriggerSource {
    /// Whether a function sets the search path, even by a text that it executes.
    static func setsSearchPath(_ source: String) -> Bool {
        let words = words(of: source)
        return words.indices.contains { index in
            let before = words[..<index].suffix(2)
            switch words[index] {
            case .name("search_path"):
                return before.last == .name("set")
                    || before.first == .name("set") && [.name("local"), .name("session")].contains(before.last)
            case .text(let text):
                return text.lowercased() == "search_path" && before.elementsEqual([.name("set_config"), .symbol("(")])
                    || setsSearchPath(text)
            case .name, .symbol, .assign: return false
            }
        }
    }

    /// Returns the words of a text, without comments and white space.
    static func words(of source: String) -> [Word] {
        var words: [Word] = []
        var rest = Substring(source)
        while let first = rest.first {
            if first.isWhitespace {
                rest.removeFirst()
            } else if rest.hasPrefix("--") {
                rest = rest.drop { !$0.isNewline }
            } else if rest.hasPrefix("/*") {
                skipComment(&rest)
            } else if first == "'" || first == "\"" {
                let text = quoted(by: first, &rest)
                words.append(first == "'" ? .text(text) : .name(text))
            } else if let text = dollarQuoted(&rest) {
                words.append(.text(text))
            } else if rest.hasPrefix(":=") {
                rest.removeFirst(2)
                words.append(.assign)
            } else if first.isLetter || first == "_" {
                let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "$" }
                rest.removeFirst(name.count)
                // Folds only ASCII letters, as PostgreSQL does.
                words.append(.name(String(name.map { $0.isASCII ? Character($0.lowercased()) : $0 })))
            } else {
                rest.removeFirst()
                words.append(.symbol(first))
            }
        }
        return words
    }

    /// Comments may be nested.
    private static func skipComment(_ rest: inout Substring) {
        var depth = 0
        while !rest.isEmpty {
            if rest.hasPrefix("/*") {
                depth += 1
                rest.removeFirst(2)
            } else if rest.hasPrefix("*/") {
                depth -= 1
                rest.removeFirst(2)
                if depth == 0 { return }
            } else {
                rest.removeFirst()
            }
        }
    }

    private static func quoted(by quote: Character, _ rest: inout Substring) -> String {
        rest.removeFirst()
        var text = ""
        while let next = rest.popFirst() {
            if next == quote {
                guard rest.first == quote else { break }
                rest.removeFirst()
            }
            text.append(next)
        }
        return text
    }

    /// Returns a text between `$tag$` delimiters; nil if none starts here.
    private static func dollarQuoted(_ rest: inout Substring) -> String? {
        guard rest.first == "$" else { return nil }
        let name = rest.dropFirst().prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        let tag = "$\(name)$"
        guard rest.hasPrefix(tag) else { return nil }
        rest.removeFirst(tag.count)
        guard let end = rest.firstRange(of: tag) else {
            defer { rest = "" }
            return String(rest)
        }
        let text = String(rest[..<end.lowerBound])
        rest = rest[end.upperBound...]
        return text
    }
}
