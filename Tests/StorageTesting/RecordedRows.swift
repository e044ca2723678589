public import Scalars
public import Tables

/// What a visitor was handed for one cell.
public enum Cell: Sendable, Equatable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case number(Double)
    /// The digits as they came.
    case decimal(String)
    case text(String)
    case version(Version)
}

/// A visitor that keeps everything it is handed, by column.
public struct RecordedRows: RowVisitor, Equatable {
    /// The columns, in order.
    public private(set) var names: [String] = []
    /// The cells of each row by their column.
    public private(set) var rows: [[String: Cell]] = []
    /// Calls that came out of order, in words.
    public private(set) var faults: [String] = []
    private var open: [Cell]?

    /// A recording of nothing yet.
    public init() {}

    /// Records the columns.
    public mutating func begin(_ layout: RowLayout) {
        if !names.isEmpty { faults.append("begin twice") }
        names = layout.fields.map(\.name)
    }

    /// Opens a row.
    public mutating func beginRow() {
        if open != nil { faults.append("a row inside a row") }
        open = []
    }

    /// Records a cell, and a fault where a decimal's digits are not in the one form, or text isn't UTF-8.
    public mutating func visit(_ cell: RowCell) {
        switch cell.kind {
        case .null: add(.null)
        case .boolean: add(.boolean(cell.isTrue))
        case .integer: add(.integer(cell.whole))
        case .number: add(.number(cell.number))
        case .version: add(.version(Version(counter: cell.whole)))
        case .decimal:
            let digits = cell.withText { text(of: $0) }
            if DecimalNumber(digits)?.text != digits { faults.append("a decimal in another form: \(digits)") }
            add(.decimal(digits))
        case .text, .instant: add(.text(cell.withText { text(of: $0) }))
        }
    }

    private mutating func text(of bytes: Span<UInt8>) -> String {
        let copy = unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) }
        if let text = String(validating: copy, as: UTF8.self) { return text }
        faults.append("text that isn't UTF-8")
        return ""
    }

    /// Closes the row, and records a fault where it has too few or too many cells.
    public mutating func endRow() {
        let cells = open ?? []
        if cells.count != names.count { faults.append("\(cells.count) cells for \(names.count) fields") }
        rows.append(Dictionary(zip(names, cells), uniquingKeysWith: { first, _ in first }))
        open = nil
    }

    private mutating func add(_ cell: Cell) {
        if open == nil { faults.append("a cell outside a row") }
        open?.append(cell)
    }
}

extension RecordedRows {
    /// The only row; an empty one where there is none.
    public var row: [String: Cell] { rows.count == 1 ? rows[0] : [:] }

    /// The only row's version.
    public var version: Version? {
        if case .version(let version) = row["version"] { version } else { nil }
    }

    /// The only row's stamp.
    public var updatedAt: Instant? { date("updatedAt") }
    /// When the only row was made.
    public var createdAt: Instant? { date("createdAt") }

    /// The only row's date of a column; nil where it isn't in the wire form.
    public func date(_ column: String) -> Instant? {
        guard case .text(let text) = row[column] else { return nil }
        let instant = Instant(text)
        return instant?.wireText == text ? instant : nil
    }

    /// The ids of all rows that have text ids, in order.
    public var ids: [String] {
        rows.compactMap { row in
            if case .text(let id) = row["id"] { id } else { nil }
        }
    }

    /// Every row's stamp, in order.
    public var stamps: [String] {
        rows.compactMap { row in
            if case .text(let stamp) = row["updatedAt"] { stamp } else { nil }
        }
    }
}
