import Foundation

/// The names that Swift code declares, as far as its single lines tell.
enum DeclaredNames {
    private static let typeKeywords: Set = ["struct", "class", "enum", "protocol", "actor", "typealias"]

    /// The types that a text declares.
    static func types(in text: String) -> [String] { text.split(separator: "\n").compactMap(type) }

    /// Those that no other type holds.
    static func topLevelTypes(in text: String) -> [String] {
        text.split(separator: "\n").filter { $0.first?.isWhitespace == false }.compactMap(type)
    }

    private static func type(in line: Substring) -> String? {
        let words = line.split { $0 == " " || $0 == ":" || $0 == "<" || $0 == "{" }
        guard words.first?.hasPrefix("//") == false, !words.contains("import"),
            let keyword = words.firstIndex(where: { typeKeywords.contains(String($0)) })
        else { return nil }
        return words.dropFirst(keyword + 1).first.map(String.init)
    }

    /// The constants, variables, parameters, labels and cases that a text declares.
    static func variables(in text: String) -> Set<String> {
        var names: Set<String> = []
        var isText = false
        for line in text.split(separator: "\n") {
            let delimiters = line.components(separatedBy: String(repeating: "\"", count: 3)).count - 1
            defer { if delimiters % 2 == 1 { isText.toggle() } }
            if !isText, delimiters == 0 { addVariables(of: tokens(of: line), to: &names) }
        }
        return names
    }

    private static func addVariables(of tokens: [String], to names: inout Set<String>) {
        for (place, token) in tokens.enumerated() {
            let before = place > 0 ? tokens[place - 1] : ""
            let after = place + 1 < tokens.count ? tokens[place + 1] : ""
            switch token {
            case "let", "var":
                // A tuple has several.
                if after == "(" { names.formUnion(tokens[place...].prefix { $0 != ")" }.filter(isName)) }
            case "in":
                // What a closure is given, or a loop goes through.
                names.formUnion(tokens[..<place].reversed().prefix { !["{", "]", "for"].contains($0) }.filter(isName))
            default:
                let isLabel = after == ":" && (["", "(", ",", "["].contains(before) || isName(before))
                if isName(token), isLabel || ["let", "var", "case"].contains(before) { names.insert(token) }
            }
        }
    }

    private static func isName(_ token: String) -> Bool { token.utf8.first.map(isOfName) == true }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    /// Words and signs, without comments and what is in quotes.
    private static func tokens(of line: Substring) -> [String] {
        var tokens: [String] = []
        var word: [UInt8] = []
        var (isQuoted, isEscaped, last) = (false, false, UInt8(ascii: " "))
        for byte in line.utf8 {
            defer { last = byte }
            if isQuoted {
                if byte == UInt8(ascii: "\""), !isEscaped { isQuoted = false }
                isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
                continue
            }
            if isOfName(byte) {
                word.append(byte)
                continue
            }
            if !word.isEmpty { tokens.append(String(decoding: word, as: UTF8.self)) }
            word = []
            if byte == UInt8(ascii: "/"), last == byte { return tokens }
            if byte == UInt8(ascii: "\"") { isQuoted = true }
            if byte != UInt8(ascii: " ") { tokens.append(String(decoding: [byte], as: UTF8.self)) }
        }
        if !word.isEmpty { tokens.append(String(decoding: word, as: UTF8.self)) }
        return tokens
    }
}
