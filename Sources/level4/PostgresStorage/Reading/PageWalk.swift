import Tables

/// Passes the rows of a list to their visitor as they arrive, up to the end of the page.
struct PageWalk<Rows: RowVisitor> {
    /// The mark of the table in the snapshot that the rows are from; nil if there are no rows.
    private(set) var mark: SchemaFingerprint?
    private var rows: Rows
    private var count = 0
    private var hasMore = false
    private let limit: Int
    private let layout: RowLayout
    private var reader: PostgresRowReader?
    private var last: (result: PostgresResult, row: Int)?

    /// - Parameter limit: the maximum number of rows of the page.
    init(_ rows: Rows, layout: RowLayout, limit: Int) {
        self.rows = rows
        self.layout = layout
        self.limit = limit
        self.rows.begin(layout)
    }

    /// Processes rows.
    /// - Returns: whether it wants more.
    mutating func take(_ result: PostgresResult) -> Bool {
        // Once for all rows, as each assignment would update reference counts.
        var taken: Int?
        defer { if let taken { last = (result, taken) } }
        for row in 0..<result.rowCount {
            if mark == nil { mark = SchemaFingerprint(result, row: row) }
            guard count < limit, count == 0 || !rows.isFull else {
                hasMore = true
                // The statement itself ends with the row after the page.
                return count == limit
            }
            if reader == nil { reader = PostgresRowReader(layout.fields, of: result) }
            reader?.visitRow(row, of: result, into: &rows)
            count += 1
            taken = row
        }
        return true
    }

    /// Returns the page of the processed rows.
    /// - Parameter placeColumns: the columns that make up a row's place.
    func page(totalCount: Int64?, placeColumns: [Int]) -> Page<Rows> {
        Page(
            rows: rows, rowCount: count, hasMore: hasMore, totalCount: totalCount,
            cursor: hasMore ? last.flatMap { $0.result.place(ofRow: $0.row, in: placeColumns) } : nil)
    }
}
