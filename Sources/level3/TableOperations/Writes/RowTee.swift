import Scalars
import Tables

/// Collects the rows that a store visits as records.
struct VisitedRecords: RowVisitor {
    private(set) var records: [Record] = []
    private var names: [String] = []
    /// Which cells hold dates, whose bytes reach a visitor as text.
    private var isDate: [Bool] = []
    private var row: [Property] = []

    mutating func begin(_ layout: RowLayout) {
        names = layout.fields.map(\.name)
        isDate = layout.fields.map { field in
            switch field {
            case .system(.createdAt), .system(.updatedAt): true
            case .system: false
            case .own(let column): column.type == .date
            }
        }
    }

    mutating func beginRow() {
        row = []
        row.reserveCapacity(names.count)
    }

    mutating func visit(_ cell: RowCell) {
        let value: Value =
            switch cell.kind {
            case .null: .null
            case .boolean: .boolean(cell.isTrue)
            case .integer: .integer(cell.whole)
            case .number: .number(cell.number)
            case .decimal: DecimalNumber(cell.text).map(Value.decimal) ?? .text(cell.text)
            case .text where isDate[row.count], .instant where isDate[row.count]:
                Instant(cell.text).map(Value.date) ?? .text(cell.text)
            case .text, .version, .instant: .text(cell.text)
            }
        row.append(Property(names[row.count], value))
    }

    mutating func endRow() { records.append(Record(visited: row)) }
}

/// Shows the rows to a second visitor too, if a hook or a webhook wants them.
struct RowTee<Row: RowVisitor>: RowVisitor {
    private(set) var row: Row
    private(set) var seen: VisitedRecords?
    /// Whether the row matches the condition of the write's own script, so that its caller may be told of it.
    private(set) var isOfScript = false

    init(_ row: Row, if isWanted: Bool) {
        self.row = row
        seen = isWanted ? VisitedRecords() : nil
    }

    /// The same row, recorded for observers.
    var observed: RowTee { seen == nil ? RowTee(row, if: true) : self }

    /// The same row, marked as matching its script's condition.
    var ofScript: RowTee {
        var copy = self
        copy.isOfScript = true
        return copy
    }

    mutating func begin(_ layout: RowLayout) {
        row.begin(layout)
        seen?.begin(layout)
    }

    mutating func visit(_ cells: Span<RowCell>) {
        row.visit(cells)
        seen?.visit(cells)
    }

    mutating func beginRow() {
        row.beginRow()
        seen?.beginRow()
    }

    mutating func visit(_ cell: RowCell) {
        row.visit(cell)
        seen?.visit(cell)
    }

    mutating func endRow() {
        row.endRow()
        seen?.endRow()
    }

    var isFull: Bool { row.isFull }
}
