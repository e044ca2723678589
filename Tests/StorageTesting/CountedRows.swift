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
    mutating func visit(_ cell: RowCell) { rows.visit(cell) }
    mutating func endRow() { rows.endRow() }
}
