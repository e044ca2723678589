import Tables

/// A visitor that is full after so many rows.
struct CountedRows: RowVisitor {
    private(set) var rows = RecordedRows()
    let capacity: Int

    init(capacity: Int) {
        self.capacity = capacity
    }

    var isFull: Bool { rows.rows.count >= capacity }

    mutating func begin(_ layout: RowLayout) { rows.begin(layout) }
    mutating func beginRow() { rows.beginRow() }
    mutating func null() { rows.null() }
    mutating func boolean(_ value: Bool) { rows.boolean(value) }
    mutating func integer(_ value: Int64) { rows.integer(value) }
    mutating func number(_ value: Double) { rows.number(value) }
    mutating func decimal(_ digits: Span<UInt8>) { rows.decimal(digits) }
    mutating func text(_ bytes: Span<UInt8>) { rows.text(bytes) }
    mutating func version(_ value: Version) { rows.version(value) }
    mutating func endRow() { rows.endRow() }
}
