/// A regular expression of `matchesPattern`: the subset of ECMAScript's that every database evaluates alike (v3).
///
/// It has characters, `.`, bracketed classes, `\d \w \s` and their negations, `^`, `$`, groups, alternatives and
/// repetitions. A pattern matches anywhere in a text unless anchored. Classes and `.` match code points.
public struct TextPattern: Sendable, Hashable {
    /// The pattern as the client wrote it.
    public let text: String
    /// The parsed pattern.
    public let root: Node

    /// A part of a pattern.
    public indirect enum Node: Sendable, Hashable {
        /// One code point in a set, or one that is not.
        case oneOf([ClosedRange<UInt32>], isNegated: Bool)
        case start
        case end
        /// Parts in sequence; an empty sequence matches the empty text.
        case sequence([Node])
        case choice([Node])
        /// `most` is nil if there is no upper limit.
        case repeated(Node, least: Int, most: Int?)
    }

    /// What is wrong with a pattern, and where.
    public struct Fault: Error, Sendable, Equatable {
        /// The offset in UTF-8 bytes from the start of the pattern.
        public let offset: Int
        /// A sentence for the client.
        public let sentence: String
    }

    /// The maximum size of a pattern in bytes.
    public static let longest = 256
    /// The maximum number in braces.
    public static let mostRepeated = 100
    /// The maximum number of steps of a pattern after expansion of its repetitions. PostgreSQL's memory use grows with
    /// its square.
    public static let mostSteps = 1_000

    /// Parses a pattern.
    public init(_ text: String) throws(Fault) {
        guard text.utf8.count <= Self.longest else {
            throw Fault(offset: 0, sentence: "The pattern has more than \(Self.longest) bytes.")
        }
        var parser = TextPatternParser(text)
        let root = try parser.pattern()
        guard Self.steps(of: root) <= Self.mostSteps else {
            throw Fault(offset: 0, sentence: "The pattern's counts come to more than \(Self.mostSteps) steps.")
        }
        self.text = text
        self.root = root
    }

    /// The named classes. ECMAScript's white space is Unicode's plus line endings.
    static let digits: [ClosedRange<UInt32>] = [0x30...0x39]
    static let wordCharacters: [ClosedRange<UInt32>] = [0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A]
    static let blanks: [ClosedRange<UInt32>] = [
        0x09...0x0D, 0x20...0x20, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A, 0x2028...0x2029, 0x202F...0x202F,
        0x205F...0x205F, 0x3000...0x3000, 0xFEFF...0xFEFF,
    ]
    static let lineEnds: [ClosedRange<UInt32>] = [0x0A...0x0A, 0x0D...0x0D, 0x2028...0x2029]

    private static func steps(of node: Node) -> Int {
        switch node {
        case .oneOf, .start, .end: 1
        case .sequence(let parts), .choice(let parts): parts.reduce(1) { min($0 + steps(of: $1), 1_000_000) }
        case .repeated(let part, let least, let most): min(1 + steps(of: part) * max(1, most ?? (least + 1)), 1_000_000)
        }
    }
}
