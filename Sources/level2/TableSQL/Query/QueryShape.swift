import OData
import Scalars
import Tables

/// Everything that a list's SQL depends on, as bytes: the query without its page if that is bound, and without the
/// dates in its filter and the texts that columns are equal to, which are only in the bindings. Incremental pulls
/// differ from each other in nothing else, and neither do lists of users whose rows a script selects.
struct QueryShape {
    private(set) var key: [UInt8] = []
    /// The dates in the filter, in order.
    private(set) var dates: [Instant] = []
    /// The texts that columns are equal to in the filter, in order. The filter has no other texts.
    private(set) var texts: [String] = []
    private let table: Table

    /// The maximum size of such a text in bytes: a cached statement keeps the texts that it was made with.
    private static let longestText = 512

    /// - Parameter plain: the columns whose texts are known to be plain.
    /// - Returns: nil for a query whose SQL depends on more: with other constants than dates, such texts, booleans, 0,
    ///   1 and null, with a place to continue from or a row to leave out, or with a scope.
    init?(_ query: TableQuery, of table: Table, plain: [Column] = [], in dialect: any SQLDialect) {
        guard query.after == nil, query.scope == nil, query.seenStamp == nil else { return nil }
        self.table = table
        key.reserveCapacity(128)
        append(table.name.text)
        key.append(query.includeDeleted ? 1 : 0)
        key.append(query.textComparison == .ordinal ? 1 : 0)
        key.append(query.nullComparison == .value ? 1 : 0)
        key.append(query.filter == nil ? 0 : 1)
        if let filter = query.filter { guard append(filter) else { return nil } }
        append(count: query.order.count)
        for term in query.order {
            key.append(term.isDescending ? 1 : 0)
            // Values bound in the columns of the result precede those of the filter.
            let before = (dates.count, texts.count)
            guard append(term.expression), (dates.count, texts.count) == before else { return nil }
        }
        append(count: query.writtenLimit(in: dialect) ?? 0)
        append(count: query.select?.count ?? -1)
        for name in query.select ?? [] { append(name.name) }
        for column in plain { append(column.name.text) }
    }

    private mutating func append(count: Int) {
        key.append(UInt8(truncatingIfNeeded: count))
        key.append(UInt8(truncatingIfNeeded: count >> 8))
    }

    private mutating func append(_ text: String) {
        key.append(contentsOf: text.utf8)
        key.append(0)
    }

    private mutating func append(_ expression: Expression) -> Bool {
        switch expression {
        case .literal(let literal, _):
            return append(literal)
        case .column(let name, _):
            key.append(1)
            append(name)
            return true
        case .not(let operand, _):
            key.append(2)
            return append(operand)
        case .negate(let operand, _):
            key.append(3)
            return append(operand)
        case .binary(.equal, .column(let name, _), .literal(.text(let text), _), _):
            // Other texts use another comparison, and other columns may read a text as a value of their type.
            guard text.utf8.count <= Self.longestText, text.isPlainASCII,
                case .own(let column)? = table.field(named: name), column.type == .string,
                column.form == nil
            else { return false }
            key.append(13)
            append(name)
            texts.append(text)
            return true
        case .binary(let binary, let left, let right, _):
            key.append(4)
            append(binary.rawValue)
            return append(left) && append(right)
        // It is bound like a date, but different each time.
        case .call(.now, _, _):
            return false
        case .call(let function, let arguments, _):
            key.append(5)
            append(function.rawValue)
            append(count: arguments.count)
            return arguments.allSatisfy { append($0) }
        case .among:
            return false
        }
    }

    private mutating func append(_ literal: Literal) -> Bool {
        switch literal {
        case .null: key.append(6)
        case .boolean(let value): key.append(value ? 8 : 7)
        case .integer(0): key.append(9)
        case .integer(1): key.append(10)
        case .date(let instant):
            // They use another comparison.
            if instant.isAtEnd { return false }
            // Midnight can represent a day.
            key.append(instant.isMidnight ? 12 : 11)
            dates.append(instant)
        case .integer, .real, .decimal, .text, .day, .time, .guid, .binary: return false
        }
        return true
    }
}

extension Expression {
    /// Returns the expression with other texts in place of its own, in order.
    func withTexts(_ texts: inout ArraySlice<String>) -> Expression {
        switch self {
        case .literal(.text, let offset): texts.popFirst().map { .literal(.text($0), at: offset) } ?? self
        case .literal, .column, .among: self
        case .not(let operand, let offset): .not(operand.withTexts(&texts), at: offset)
        case .negate(let operand, let offset): .negate(operand.withTexts(&texts), at: offset)
        case .binary(let binary, let left, let right, let offset):
            .binary(binary, left.withTexts(&texts), right.withTexts(&texts), at: offset)
        case .call(let function, let arguments, let offset):
            .call(function, arguments.map { $0.withTexts(&texts) }, at: offset)
        }
    }
}
