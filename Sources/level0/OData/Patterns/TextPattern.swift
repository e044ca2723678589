/// A regular expression of `matchesPattern`: the part of ECMAScript's that every database answers alike (v3).
///
/// Characters, `.`, classes in brackets, the classes `\d \w \s` and their opposites, `^`, `$`, groups, choices and
/// counts. A pattern matches anywhere in a text unless it says where. Classes and `.` are of code points.
public struct TextPattern: Sendable, Hashable {
    /// The pattern as the client wrote it.
    public let text: String
    /// The pattern, taken apart.
    public let root: Node

    /// A part of a pattern.
    public indirect enum Node: Sendable, Hashable {
        /// One code point of a set, or one that is not.
        case oneOf([ClosedRange<UInt32>], isNegated: Bool)
        case start
        case end
        /// One part after the other; none match the empty text.
        case sequence([Node])
        case choice([Node])
        /// `most` is nil if there is no upper limit.
        case repeated(Node, least: Int, most: Int?)
    }

    /// What is wrong with a pattern, and after how many of its bytes.
    public struct Fault: Error, Sendable, Equatable {
        /// UTF-8 bytes from the start of the pattern.
        public let offset: Int
        /// A sentence for the client.
        public let sentence: String
    }

    /// The most bytes of a pattern.
    public static let longest = 256
    /// The most that a count in braces may say.
    public static let mostRepeated = 100
    /// The maximum number of steps of a pattern once its counts are expanded. PostgreSQL's memory grows with their
    /// square.
    public static let mostSteps = 1_000

    /// Reads a pattern.
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

    /// Named sets. ECMAScript's blanks are those of Unicode and the line endings.
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
