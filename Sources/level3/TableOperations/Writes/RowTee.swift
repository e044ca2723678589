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

    mutating func null() { append(.null) }

    mutating func boolean(_ value: Bool) { append(.boolean(value)) }

    mutating func integer(_ value: Int64) { append(.integer(value)) }

    mutating func number(_ value: Double) { append(.number(value)) }

    mutating func decimal(_ digits: Span<UInt8>) {
        let text = unsafe digits.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
        append(DecimalNumber(text).map(Value.decimal) ?? .text(text))
    }

    mutating func text(_ bytes: Span<UInt8>) {
        let text = unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
        append(isDate[row.count] ? Instant(text).map(Value.date) ?? .text(text) : .text(text))
    }

    mutating func version(_ value: Version) { append(.text(value.wireText)) }

    mutating func endRow() { records.append(Record(visited: row)) }

    private mutating func append(_ value: Value) {
        row.append(Property(names[row.count], value))
    }
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

    mutating func null() {
        row.null()
        seen?.null()
    }

    mutating func boolean(_ value: Bool) {
        row.boolean(value)
        seen?.boolean(value)
    }

    mutating func integer(_ value: Int64) {
        row.integer(value)
        seen?.integer(value)
    }

    mutating func number(_ value: Double) {
        row.number(value)
        seen?.number(value)
    }

    mutating func decimal(_ digits: Span<UInt8>) {
        row.decimal(digits)
        seen?.decimal(digits)
    }

    mutating func text(_ bytes: Span<UInt8>) {
        row.text(bytes)
        seen?.text(bytes)
    }

    mutating func version(_ value: Version) {
        row.version(value)
        seen?.version(value)
    }

    mutating func endRow() {
        row.endRow()
        seen?.endRow()
    }

    var isFull: Bool { row.isFull }
}
