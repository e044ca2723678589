/// A visited row as bytes, from which it can be visited again.
public struct RowRecord: RowVisitor {
    /// A number for the form, the columns, then a cell for each.
    public var bytes: [UInt8] { writer.bytes }
    private var writer = PackedWriter()

    /// Goes up when the form changes, so that records of an older server are not misread.
    private static let form: UInt8 = 1

    fileprivate enum Tag: UInt8 {
        case null, no, yes, integer, number, text, version, decimal
    }

    /// A record of nothing yet.
    public init() {
        writer.byte(Self.form)
    }

    /// - Parameter bytes: those of a record.
    public init(bytes: [UInt8]) {
        writer = PackedWriter(bytes: bytes)
    }

    /// Records the columns.
    public mutating func begin(_ layout: RowLayout) {
        writer.count(layout.fields.count)
        for field in layout.fields {
            switch field {
            case .system(let column): writer.text(column.rawValue)
            case .own(let column):
                // No system column's name is empty.
                writer.text("")
                writer.text(column.name.text)
                writer.text(column.type.rawValue)
            }
        }
    }

    /// Does nothing: there is one row.
    public mutating func beginRow() {}
    /// Does nothing: the columns determine the end.
    public mutating func endRow() {}
    /// Records a cell, an instant as its text.
    public mutating func visit(_ cell: RowCell) {
        switch cell.kind {
        case .null: append(.null)
        case .boolean: append(cell.isTrue ? .yes : .no)
        case .integer: append(.integer, cell.bits)
        case .number: append(.number, cell.bits)
        case .version: append(.version, cell.bits)
        case .decimal:
            append(.decimal)
            cell.withText { writer.slice($0) }
        case .text, .instant:
            append(.text)
            cell.withText { writer.slice($0) }
        }
    }

    private mutating func append(_ tag: Tag, _ number: UInt64? = nil) {
        writer.byte(tag.rawValue)
        if let number { writer.number(number) }
    }
}

extension RowRecord {
    /// Visits the row.
    /// - Returns: the visitor after it; nil if the bytes are not a record.
    public func visited<Row: RowVisitor>(by row: Row) -> Row? {
        var reader = PackedReader(bytes: bytes)
        guard reader.byte() == Self.form, let fields = reader.fields() else { return nil }
        var row = row
        row.begin(fields)
        row.beginRow()
        for _ in fields where !reader.cell(into: &row) { return nil }
        row.endRow()
        return row
    }
}

// Whatever is no part of a record is nil.
extension PackedReader {
    fileprivate mutating func fields() -> [Field]? {
        guard let count = count() else { return nil }
        var fields: [Field] = []
        for _ in 0..<count {
            guard let name = text() else { return nil }
            if let system = SystemColumn(rawValue: name) {
                fields.append(.system(system))
            } else if name.isEmpty, let own = text().flatMap({ Identifier($0) }),
                let type = text().flatMap({ ColumnType(rawValue: $0) })
            {
                fields.append(.own(Column(own, type)))
            } else {
                return nil
            }
        }
        return fields
    }

    /// - Returns: whether there was a cell.
    fileprivate mutating func cell<Row: RowVisitor>(into row: inout Row) -> Bool {
        guard let tag = byte().flatMap({ RowRecord.Tag(rawValue: $0) }) else { return false }
        switch tag {
        case .null: row.null()
        case .no: row.boolean(false)
        case .yes: row.boolean(true)
        case .text, .decimal:
            guard let text = slice() else { return false }
            if tag == .text { row.text(text.span) } else { row.decimal(text.span) }
        case .integer, .number, .version:
            guard let bits = number() else { return false }
            switch tag {
            case .integer: row.integer(Int64(bitPattern: bits))
            case .number: row.number(Double(bitPattern: bits))
            default: row.version(Version(counter: Int64(bitPattern: bits)))
            }
        }
        return true
    }
}
