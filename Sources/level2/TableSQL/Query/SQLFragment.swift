public import Tables

/// A piece of SQL: text written in this target, with names and values from elsewhere.
///
/// It is written as a string literal. Only other fragments, and values, which are bound, can be interpolated: a name or
/// a value can't become text.
public struct SQLFragment: Sendable, ExpressibleByStringInterpolation {
    package enum Part: Sendable {
        case sql(String)
        case name(String)
        case value(Value)
        case fragment(SQLFragment)
    }

    package let parts: [Part]

    /// An upper bound of the symbols that an LALR parser such as SQLite's has on its stack while it reads the fragment.
    public let depth: Int

    /// Creates SQL without names and values.
    public init(stringLiteral text: String) {
        var content = StringInterpolation(literalCapacity: 0, interpolationCount: 0)
        content.appendLiteral(text)
        self.init(stringInterpolation: content)
    }

    /// Creates SQL with other fragments in it.
    public init(stringInterpolation content: StringInterpolation) {
        parts = content.parts
        depth = content.depth
    }

    /// Creates a placeholder with its value.
    package init(_ value: Value) {
        parts = [.value(value)]
        depth = 1
    }

    package init(_ table: Identifier) {
        parts = [.name(table.text)]
        depth = 1
    }

    /// Creates a column's value: of one whose texts have a form, its text.
    package init(_ field: Field) {
        parts = field.form == nil ? [.name(field.name)] : [.name(field.name), .sql("::text")]
        depth = 1
    }

    /// Creates the name of a column that is to be set.
    package init(setting field: Field) { self.init(named: field.name) }

    /// Returns a value for a column, as the column has it in the database.
    package func stored(in field: Field) -> SQLFragment {
        field.form.map { "CAST(\(self) AS \(SQLFragment(stringLiteral: $0.rawValue)))" } ?? self
    }

    /// Creates a name in the spelling of another program or the database itself.
    package init(named name: String) {
        parts = [.name(name)]
        depth = 1
    }

    /// Creates the name of a result column for a place's value: with a dot, which no table's column has.
    init(placeAt index: Int) { self.init(named: "zumod.\(index)") }

    fileprivate init(_ parts: [Part], depth: Int) {
        self.parts = parts
        self.depth = depth
    }

    /// Returns the same fragment with the depth of another one that it replaces.
    package func counted(asDeep depth: Int) -> SQLFragment { SQLFragment(parts, depth: depth) }

    /// The text, if the fragment is only a placeholder for a constant text.
    package var constantText: String? {
        if parts.count == 1, case .value(.text(let text)) = parts[0] { text } else { nil }
    }

    /// Whether the fragment is a constant text so short that searching for it is quick even in very long texts.
    package var isShortConstant: Bool { constantText.map { $0.utf8.count <= 64 } ?? false }

    /// Returns whether the fragment is only a column's name.
    package func isName(_ name: String) -> Bool {
        if parts.count == 1, case .name(name) = parts[0] { true } else { false }
    }

    /// Whether the fragment is the literal NULL.
    package var isNull: Bool {
        if parts.count == 1, case .sql("NULL") = parts[0] { true } else { false }
    }

    /// Collects the parts of a literal, and tracks the parser's stack.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var parts: [Part] = []
        fileprivate var depth = 0
        private var pending = 0
        /// The value of `pending` at each open parenthesis.
        private var openings: [Int] = []

        /// Reserves capacity for the parts.
        public init(literalCapacity: Int, interpolationCount: Int) {
            parts.reserveCapacity(2 * interpolationCount + 1)
        }

        /// Appends text from the source code.
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
                    // A call's name is reduced with its closing parenthesis; SQLite also pushes whether it is DISTINCT.
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

        /// Appends a value as a placeholder.
        public mutating func appendInterpolation(_ value: Value) {
            appendInterpolation(SQLFragment(value))
        }

        /// Appends the name of a table.
        public mutating func appendInterpolation(_ table: Identifier) {
            appendInterpolation(SQLFragment(table))
        }

        /// Appends the value of a column.
        public mutating func appendInterpolation(_ field: Field) {
            appendInterpolation(SQLFragment(field))
        }

        /// Appends another fragment.
        public mutating func appendInterpolation(_ fragment: SQLFragment) {
            parts.append(.fragment(fragment))
            depth = max(depth, pending + fragment.depth)
            pending += 1
        }
    }
}

extension [SQLFragment] {
    /// Joins the fragments in order.
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
