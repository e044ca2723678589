import Tables

/// Splits a script into tokens, skipping comments and blanks.
struct TransactLexer {
    private let scalars: [Unicode.Scalar]
    private var index = 0
    private var place = TransactPlace()
    private var placeholders = 0

    /// Reads all tokens, with `end` as the last one.
    static func tokens(of text: String) throws(StatementFault) -> [TransactToken] {
        guard text.utf8.count <= StatementScript.mostBytes else {
            throw StatementFault("The script has more than \(StatementScript.mostBytes) bytes.")
        }
        var lexer = TransactLexer(scalars: Array(text.unicodeScalars))
        var tokens: [TransactToken] = []
        while let token = try lexer.next() { tokens.append(token) }
        tokens.append(TransactToken(kind: .end, place: lexer.place))
        return tokens
    }

    private func peek(_ offset: Int = 0) -> Unicode.Scalar? {
        index + offset < scalars.count ? scalars[index + offset] : nil
    }

    private mutating func advance() {
        if scalars[index] == "\n" {
            place.line += 1
            place.column = 1
        } else {
            place.column += 1
        }
        index += 1
    }

    private mutating func next() throws(StatementFault) -> TransactToken? {
        try skipBlanks()
        guard let scalar = peek() else { return nil }
        let start = place
        let kind: TransactToken.Kind
        switch scalar {
        case "'":
            kind = .text(try quoted(until: "'", what: "text"))
        case "N" where peek(1) == "'", "n" where peek(1) == "'":
            advance()
            kind = .text(try quoted(until: "'", what: "text"))
        case "[":
            kind = .name(try quoted(until: "]", what: "name"))
        case "\"":
            kind = .name(try quoted(until: "\"", what: "name"))
        case "@" where peek(1) == "@":
            advance()
            advance()
            kind = .global(word())
        case "@":
            advance()
            kind = .variable(word())
        case "?":
            advance()
            kind = .placeholder(placeholders)
            placeholders += 1
        case "0" where peek(1) == "x" || peek(1) == "X":
            _ = word()
            kind = .binary
        case _ where Self.isDigit(scalar) || scalar == "." && peek(1).map(Self.isDigit) == true:
            kind = .number(number())
        case _ where Self.isWord(scalar):
            kind = .word(word())
        default:
            kind = .symbol(symbol())
        }
        return TransactToken(kind: kind, place: start)
    }

    private mutating func skipBlanks() throws(StatementFault) {
        while let scalar = peek() {
            if scalar.properties.isWhitespace || scalar == "\u{FEFF}" {
                advance()
            } else if scalar == "-", peek(1) == "-" {
                while let scalar = peek(), scalar != "\n" {
                    _ = scalar
                    advance()
                }
            } else if scalar == "/", peek(1) == "*" {
                try skipComment()
            } else {
                return
            }
        }
    }

    /// Comments of this kind may be nested.
    private mutating func skipComment() throws(StatementFault) {
        let start = place
        var depth = 0
        repeat {
            guard let scalar = peek() else { throw start.fault("The comment never ends.") }
            if scalar == "/", peek(1) == "*" {
                depth += 1
                advance()
            } else if scalar == "*", peek(1) == "/" {
                depth -= 1
                advance()
            }
            advance()
        } while depth > 0
    }

    /// Reads text between quotes, with doubled quotes inside.
    private mutating func quoted(until end: Unicode.Scalar, what: String) throws(StatementFault) -> String {
        let start = place
        advance()
        var text = String.UnicodeScalarView()
        while let scalar = peek() {
            advance()
            if scalar == end {
                guard peek() == end else { return String(text) }
                advance()
            }
            text.append(scalar)
        }
        throw start.fault("The \(what) never ends.")
    }

    private mutating func word() -> String {
        var text = String.UnicodeScalarView()
        while let scalar = peek(), Self.isWord(scalar) || Self.isDigit(scalar) {
            text.append(scalar)
            advance()
        }
        return String(text)
    }

    private mutating func number() -> String {
        var text = String.UnicodeScalarView()
        var hasExponent = false
        while let scalar = peek() {
            let isExponent = !hasExponent && (scalar == "e" || scalar == "E")
            let isSign = (scalar == "-" || scalar == "+") && (text.last == "e" || text.last == "E")
            guard Self.isDigit(scalar) || scalar == "." || isExponent || isSign else { break }
            if isExponent { hasExponent = true }
            text.append(scalar)
            advance()
        }
        return String(text)
    }

    private mutating func symbol() -> String {
        let pair = String(String.UnicodeScalarView([peek(), peek(1)].compactMap(\.self)))
        let text = Self.pairs.contains(pair) ? pair : String(pair.unicodeScalars.prefix(1))
        for _ in text.unicodeScalars { advance() }
        return text
    }

    private static let pairs: Set<String> = ["<>", "!=", "<=", ">=", "!<", "!>", "+=", "-=", "*=", "/=", "%=", "||"]

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "_" || scalar == "#" || scalar == "$" || scalar.properties.isAlphabetic
    }
}
