/// A token of the query language, with its start and end in UTF-8 bytes.
struct Token {
    enum Kind: Equatable {
        case word, open, close, comma, minus, end
        case literal(Literal)
    }

    let kind: Kind
    let start: Int
    let end: Int
}

/// Splits the text of one option into tokens.
///
/// A copy of the lexer is a position in the text to return to.
struct Lexer {
    let bytes: [UInt8]
    let option: String
    let language: QueryLanguage
    /// Whether `@name` is a word too.
    let takesParameters: Bool
    var position = 0

    init(_ text: String, option: String, language: QueryLanguage, takesParameters: Bool = false) {
        self.bytes = Array(text.utf8)
        self.option = option
        self.language = language
        self.takesParameters = takesParameters
    }

    static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte)
    }

    /// Returns whether a byte can be part of a name or a keyword.
    static func isWord(_ byte: UInt8) -> Bool {
        (97...122).contains(byte) || (65...90).contains(byte) || isDigit(byte) || byte == UInt8(ascii: "_")
    }

    static func isDigit(_ byte: UInt8) -> Bool {
        (48...57).contains(byte)
    }

    /// The byte at the position; 0 past the end.
    var current: UInt8 {
        position < bytes.count ? bytes[position] : 0
    }

    /// The byte after the position; 0 past the end.
    var following: UInt8 {
        position + 1 < bytes.count ? bytes[position + 1] : 0
    }

    mutating func skipBlanks() {
        while position < bytes.count, Self.isBlank(bytes[position]) { position += 1 }
    }

    mutating func next() throws(QueryError) -> Token {
        skipBlanks()
        let start = position
        guard position < bytes.count else { return Token(kind: .end, start: start, end: start) }
        let byte = bytes[position]
        if language.isOData4, Self.isWord(byte), let literal = try bareLiteral() {
            return token(.literal(literal), from: start)
        }
        if Self.isDigit(byte) {
            let literal = try number(isNegative: false)
            return token(.literal(literal), from: start)
        }
        if Self.isWord(byte) { return try wordOrLiteral() }
        switch byte {
        case UInt8(ascii: "'"):
            let text = try quoted()
            return token(.literal(.text(text)), from: start)
        case UInt8(ascii: "("): return single(.open)
        case UInt8(ascii: ")"): return single(.close)
        case UInt8(ascii: ","): return single(.comma)
        case UInt8(ascii: "-"): return try minusOrNumber()
        case UInt8(ascii: "@") where takesParameters && Self.isWord(following):
            position += 1
            skipWord()
            return token(.word, from: start)
        case UInt8(ascii: "\""): throw error(at: start, "Text stands between apostrophes, not double quotes.")
        case UInt8(ascii: "."): throw error(at: start, "A number begins with a digit.")
        default: throw error(at: start, "`\(character(at: start))` has no meaning here.")
        }
    }

    /// Returns the text of a token.
    func text(_ token: Token) -> String {
        String(decoding: bytes[token.start..<token.end], as: UTF8.self)
    }

    /// Returns the beginning of a text, for an error message.
    static func shortened(_ text: String) -> String {
        let beginning = text.prefix(40)
        return beginning.endIndex < text.endIndex ? beginning + "…" : text
    }

    func error(at offset: Int, _ sentence: String) -> QueryError {
        QueryError(option, at: offset, .syntax(sentence))
    }

    func token(_ kind: Token.Kind, from start: Int) -> Token {
        Token(kind: kind, start: start, end: position)
    }

    private mutating func single(_ kind: Token.Kind) -> Token {
        position += 1
        return token(kind, from: position - 1)
    }

    /// Reads a minus, or a number with one: otherwise the smallest 64-bit integer could not be written.
    private mutating func minusOrNumber() throws(QueryError) -> Token {
        let start = position
        position += 1
        let afterMinus = position
        skipBlanks()
        if Self.isDigit(current) {
            let literal = try number(isNegative: true)
            return token(.literal(literal), from: start)
        }
        position = afterMinus
        if language.isOData4, bytes[position...].starts(with: "INF".utf8) {
            skipWord()
            if position == afterMinus + 3 { return token(.literal(.real(-.infinity)), from: start) }
            position = afterMinus
        }
        return token(.minus, from: start)
    }

    /// Reads a word, or a literal of the form `word'…'`. Of a path like `a/b` only the last part counts, as upstream.
    private mutating func wordOrLiteral() throws(QueryError) -> Token {
        var start = position
        skipWord()
        if current == UInt8(ascii: "'"), let literal = try prefixedLiteral(from: start) {
            return token(.literal(literal), from: start)
        }
        while current == UInt8(ascii: "/"), Self.isWord(following), !Self.isDigit(following) {
            position += 1
            start = position
            skipWord()
        }
        if language.isOData4 { skipQualifiedName() }
        return token(.word, from: start)
    }

    /// Skips the rest of a name such as `Edm.Date` or `geo.distance`.
    private mutating func skipQualifiedName() {
        while current == UInt8(ascii: "."), Self.isWord(following) {
            position += 1
            skipWord()
        }
    }

    private mutating func skipWord() {
        while position < bytes.count, Self.isWord(bytes[position]) { position += 1 }
    }

    private func character(at offset: Int) -> Character {
        String(decoding: bytes[offset...].prefix(16), as: UTF8.self).first ?? " "
    }
}
