import Scalars
import Tables

/// A row as the reference store keeps it.
struct ReferenceRow {
    let id: RowID
    var createdAt: Instant
    var updatedAt: Instant
    var version: Version
    var isDeleted = false
    var values: [Identifier: Value] = [:]

    func value(of field: Field) -> Value {
        switch field {
        case .system(.id): id.value
        case .system(.createdAt): .date(createdAt)
        case .system(.updatedAt): .date(updatedAt)
        case .system(.version): .integer(version.counter)
        case .system(.deleted): .boolean(isDeleted)
        case .own(let column): values[column.name] ?? .null
        }
    }

    /// The row as the evaluator takes it.
    func values(of table: Table) -> ReferenceEvaluator.Row {
        Dictionary(table.fields.map { ($0.name, value(of: $0)) }) { first, _ in first }
    }

    /// A visitor that has seen the row and no other.
    func shown<Visitor: RowVisitor>(_ fields: [Field], to visitor: Visitor) -> Visitor {
        var visitor = visitor
        visitor.begin(fields)
        show(fields, to: &visitor)
        return visitor
    }

    /// Hands the row's cells to a visitor that has begun.
    func show<Visitor: RowVisitor>(_ fields: [Field], to visitor: inout Visitor) {
        visitor.beginRow()
        for field in fields {
            switch value(of: field) {
            case .null: visitor.null()
            case .boolean(let truth): visitor.boolean(truth)
            case .integer(let whole) where field == .system(.version): visitor.version(Version(counter: whole))
            case .integer(let whole): visitor.integer(whole)
            case .number(let number): visitor.number(number)
            case .decimal(let number): visitor.decimal(Array(number.text.utf8).span)
            case .text(let text): visitor.text(Array(text.utf8).span)
            case .date(let instant): visitor.text(Array(instant.wireText.utf8).span)
            }
        }
        visitor.endRow()
    }
}

extension RowID {
    var value: Value { if case .integer(let number) = self { .integer(number) } else { .text(text) } }
}
