import OData
import Tables

extension RowScope {
    /// Whether a row is in scope, for conditions of comparisons with constants by `eq` and `ne`, and of dates by `gt`, joined by `and` and
    /// `or`: null is a value among others, and a column that the table lacks is null.
    func holds(_ row: ReferenceRow, of table: Table) -> Bool {
        Self.holds(condition, row, table)
    }

    /// Whether a row is in scope and may be written.
    func allowsWriting(_ row: ReferenceRow, of table: Table) -> Bool {
        Self.holds(writeCondition, row, table)
    }

    private static func holds(_ condition: Expression, _ row: ReferenceRow, _ table: Table) -> Bool {
        switch condition {
        case .literal(.boolean(let truth), _): truth
        case .binary(.and, let left, let right, _): holds(left, row, table) && holds(right, row, table)
        case .binary(.or, let left, let right, _): holds(left, row, table) || holds(right, row, table)
        case .binary(.equal, .column(let name, _), .literal(let literal, _), _):
            isSame(value(name, row, table), literal)
        case .binary(.notEqual, .column(let name, _), .literal(let literal, _), _):
            !isSame(value(name, row, table), literal)
        case .binary(.greater, .column(let name, _), .literal(.date(let bound), _), _):
            if case .date(let date) = value(name, row, table) { date > bound } else { false }
        default: fatalError("the reference store has no such scope: \(condition)")
        }
    }

    private static func value(_ name: String, _ row: ReferenceRow, _ table: Table) -> Value {
        table.field(named: name).map(row.value) ?? .null
    }

    private static func isSame(_ value: Value, _ literal: Literal) -> Bool {
        switch (value, literal) {
        case (.null, .null): true
        case (.boolean(let one), .boolean(let other)): one == other
        // By code points: Swift's own comparison takes the two spellings of é for the same.
        case (.text(let one), .text(let other)): one.unicodeScalars.elementsEqual(other.unicodeScalars)
        default: false
        }
    }
}
