public import Tables

/// A piece of SQL: text that this target wrote, with names and values that it did not.
///
/// It is written as a string literal. What is interpolated are other fragments, and values, which are bound: a name or a
/// value can't become text.
public struct SQLFragment: Sendable, ExpressibleByStringInterpolation {
    package enum Part: Sendable {
        case sql(String)
        case name(String)
        case value(Value)
        case fragment(SQLFragment)
    }

    package let parts: [Part]

    /// The most symbols that an LALR parser such as SQLite's keeps on its stack while it reads the fragment, or more.
    public let depth: Int

    /// SQL without any name or value.
    public init(stringLiteral text: String) {
        var content = StringInterpolation(literalCapacity: 0, interpolationCount: 0)
        content.appendLiteral(text)
        self.init(stringInterpolation: content)
    }

    /// SQL with other fragments in it.
    public init(stringInterpolation content: StringInterpolation) {
        parts = content.parts
        depth = content.depth
    }

    /// A placeholder with its value.
    package init(_ value: Value) {
        parts = [.value(value)]
        depth = 1
    }

    package init(_ table: Identifier) {
        parts = [.name(table.text)]
        depth = 1
    }

    package init(_ field: Field) {
        parts = [.name(field.name)]
        depth = 1
    }

    /// A name as another program or the database itself spells it.
    init(named name: String) {
        parts = [.name(name)]
        depth = 1
    }

    /// A column of a result that has a place's value and no name of its own: a name with a dot, which no column has.
    init(placeAt index: Int) { self.init(named: "zumod.\(index)") }

    fileprivate init(_ parts: [Part], depth: Int) {
        self.parts = parts
        self.depth = depth
    }

    /// The same piece where it stands for another one, whose depth counts.
    package func counted(asDeep depth: Int) -> SQLFragment { SQLFragment(parts, depth: depth) }

    /// The text, where the fragment is nothing but the placeholder of a constant text.
    package var constantText: String? {
        if parts.count == 1, case .value(.text(let text)) = parts[0] { text } else { nil }
    }

    /// Whether the fragment is a constant text so short that looking for it is quick in the longest of texts.
    package var isShortConstant: Bool { constantText.map { $0.utf8.count <= 64 } ?? false }

    /// Whether the fragment is nothing but a column of that name.
    package func isName(_ name: String) -> Bool {
        if parts.count == 1, case .name(name) = parts[0] { true } else { false }
    }

    /// Whether the fragment is the literal NULL.
    package var isNull: Bool {
        if parts.count == 1, case .sql("NULL") = parts[0] { true } else { false }
    }

    /// Gathers the parts of a literal, and counts what a parser has to remember.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var parts: [Part] = []
        fileprivate var depth = 0
        private var pending = 0
        /// What is pending where each open parenthesis began.
        private var openings: [Int] = []

        /// Makes room for the parts.
        public init(literalCapacity: Int, interpolationCount: Int) {
            parts.reserveCapacity(2 * interpolationCount + 1)
        }

        /// Adds text of the source code.
        public mutating func appendLiteral(_ text: String) {
            guard !text.isEmpty else { return }
            parts.append(.sql(text))
            var isInWord = false
            for byte in text.utf8 {
                let wasInWord = isInWord
                isInWord = byte >= 48 && byte != 0x3C && byte != 0x3D && byte != 0x3E
                switch byte {
                case UInt8(ascii: " "):
                    break
                case UInt8(ascii: "("):
                    // A call's name is part of what its parenthesis closes; SQLite also notes whether it is DISTINCT.
                    openings.append(wasInWord ? pending - 1 : pending)
                    pending += wasInWord ? 2 : 1
                case UInt8(ascii: ")"):
                    pending = (openings.popLast() ?? 0) + 1
                default:
                    if !(isInWord && wasInWord) { pending += 1 }
                }
                depth = max(depth, pending)
            }
        }

        /// Adds a value as a placeholder.
        public mutating func appendInterpolation(_ value: Value) {
            appendInterpolation(SQLFragment(value))
        }

        /// Adds the name of a table.
        public mutating func appendInterpolation(_ table: Identifier) {
            appendInterpolation(SQLFragment(table))
        }

        /// Adds the name of a column.
        public mutating func appendInterpolation(_ field: Field) {
            appendInterpolation(SQLFragment(field))
        }

        /// Adds another fragment.
        public mutating func appendInterpolation(_ fragment: SQLFragment) {
            parts.append(.fragment(fragment))
            depth = max(depth, pending + fragment.depth)
            pending += 1
        }
    }
}

extension [SQLFragment] {
    /// The pieces in their order.
    func joined(by separator: String = ", ") -> SQLFragment {
        var parts: [SQLFragment.Part] = []
        for piece in self {
            if !parts.isEmpty { parts.append(.sql(separator)) }
            parts.append(.fragment(piece))
        }
        return SQLFragment(parts, depth: map(\.depth).max() ?? 0)
    }
}

extension SQLBuilder {
    mutating func append(_ fragment: SQLFragment) {
        for part in fragment.parts {
            switch part {
            case .sql(let text): append(text)
            case .name(let name): identifier(name)
            case .value(let value): bind(value)
            case .fragment(let inner): append(inner)
            }
        }
    }
}
