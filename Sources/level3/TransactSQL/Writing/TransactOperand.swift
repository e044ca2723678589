import ByteText
import TableSQL
import Tables

/// An expression of a script as SQL that needs no parentheses beside any operator.
struct TransactOperand {
    var sql: SQLFragment
    var type: TransactType
    /// The value, if it is known before the statement runs.
    var constant: Value?
    /// Whether it is a column of a table, for which an index may be used.
    var isColumn = false
    /// Texts joined by `+` without the check of their total size, and their number; nil for anything else.
    var chain: (sql: SQLFragment, count: Int)?

    /// The number of texts to join before checking their total size.
    static let mostJoined = 16

    init(_ sql: SQLFragment, _ type: TransactType) {
        self.sql = sql
        self.type = type
    }

    /// Creates a constant, which is bound.
    init(_ value: Value) {
        type = TransactType(value)
        sql = value == .null ? "NULL" : SQLFragment(value)
        constant = value
    }

    var isNull: Bool { constant == .null }
    /// Whether it is not calculated.
    var isPlain: Bool { isColumn || constant != nil }
    var constantText: String? { constant?.textValue }
}

/// A column of a query's result.
public struct TransactColumn: Sendable, Hashable {
    /// The name as spelled in the statement; empty if it has none.
    public let name: String
    /// The type of its cells.
    public let type: TransactType
}

extension Array {
    func chunks(of size: Int) -> [[Element]] {
        stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
    }
}

extension SQLFragment {
    /// Returns the alias of a source, numbered within the statement: no name from a script becomes one.
    static func source(_ number: Int) -> SQLFragment { SQLFragment(stringLiteral: "s\(number)") }

    /// Returns the alias of a column, numbered likewise.
    static func column(_ number: Int) -> SQLFragment { SQLFragment(stringLiteral: "c\(number)") }

    /// Returns a list. A long one is built from shorter ones, so that its depth doesn't grow with it.
    static func list(_ fragments: [SQLFragment], by separator: SQLFragment = ", ") -> SQLFragment {
        guard fragments.count <= longestList else {
            return list(fragments.chunks(of: longestList).map { list($0, by: separator) }, by: separator)
        }
        guard var list = fragments.first else { return "" }
        for fragment in fragments.dropFirst() { list = "\(list)\(separator)\(fragment)" }
        return list
    }

    private static let longestList = 64

    /// A text by which fragments are compared, up to the maximum size of a statement.
    var key: ExactText {
        var key = ""
        addKey(to: &key)
        return ExactText(key)
    }

    private func addKey(to key: inout String) {
        for part in parts where key.utf8.count < TransactText.mostBytes {
            switch part {
            case .sql(let text): key += text
            case .name(let name): key += "[\(name)]"
            case .value(let value): key += "{\(value)}"
            case .fragment(let inner): inner.addKey(to: &key)
            }
        }
    }
}

/// Writes a fragment's text. A repeated value becomes one parameter, so that PostgreSQL recognizes expressions of the
/// result as those that are grouped by.
struct TransactText {
    private var builder: SQLBuilder
    private var numbers: [ExactText: Int] = [:]
    /// The total bytes of text in values, counted for each occurrence.
    private var valueBytes = 0

    /// The maximum number of values in a statement that both databases accept.
    static let mostValues = 30_000
    /// The maximum size of a statement in bytes: nested parts may be repeated several times at each level.
    static let mostBytes = 900_000

    static let tooLargeValues = StatementFault(
        "The statement has values of more than \(StatementScript.mostValueBytes) bytes.")

    static func build(_ fragment: SQLFragment, _ dialect: any SQLDialect) throws(StatementFault) -> SQLText {
        guard fragment.depth <= dialect.maximumDepth else {
            throw StatementFault("The statement is nested too deep for the database.")
        }
        var text = TransactText(builder: SQLBuilder(dialect))
        text.append(fragment)
        let sql = text.builder.build()
        guard sql.text.utf8.count < mostBytes else {
            throw StatementFault("The statement is too long for the database.")
        }
        guard text.valueBytes <= StatementScript.mostValueBytes else { throw tooLargeValues }
        guard sql.bindings.count <= mostValues else {
            throw StatementFault("The statement has more than \(mostValues) values.")
        }
        return sql
    }

    private mutating func append(_ fragment: SQLFragment) {
        for part in fragment.parts
        where builder.text.utf8.count < Self.mostBytes && valueBytes <= StatementScript.mostValueBytes {
            switch part {
            case .sql(let text): builder.append(text)
            case .name(let name): builder.identifier(name)
            case .fragment(let inner): append(inner)
            case .value(let value):
                if case .text(let text) = value { valueBytes += text.utf8.count }
                let key = ExactText("\(value)")
                if let number = numbers[key] {
                    builder.append(builder.dialect.placeholder(number, for: value))
                } else {
                    builder.bind(value)
                    numbers[key] = builder.bindings.count
                }
            }
        }
    }
}
