/// A visited row as bytes, from which it can be visited again.
public struct RowRecord: RowVisitor {
    /// A number for the form, the columns, then a cell for each.
    public private(set) var bytes: [UInt8] = [Self.form]

    /// Goes up when the form changes, so that records of an older server are not misread.
    private static let form: UInt8 = 1

    private enum Tag: UInt8 {
        case null, no, yes, integer, number, text, version, decimal
    }

    /// A record of nothing yet.
    public init() {}

    /// - Parameter bytes: those of a record.
    public init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Records the columns.
    public mutating func begin(_ fields: [Field]) {
        append(UInt64(fields.count))
        for field in fields {
            switch field {
            case .system(let column): append(column.rawValue)
            case .own(let column):
                // No system column's name is empty.
                append("")
                append(column.name.text)
                append(column.type.rawValue)
            }
        }
    }

    /// Does nothing: there is one row.
    public mutating func beginRow() {}
    /// Does nothing: the columns tell the end.
    public mutating func endRow() {}
    /// Records a null.
    public mutating func null() { bytes.append(Tag.null.rawValue) }
    /// Records a boolean.
    public mutating func boolean(_ value: Bool) { bytes.append((value ? Tag.yes : .no).rawValue) }
    /// Records a whole number.
    public mutating func integer(_ value: Int64) { append(.integer, UInt64(bitPattern: value)) }
    /// Records a number.
    public mutating func number(_ value: Double) { append(.number, value.bitPattern) }
    /// Records a version.
    public mutating func version(_ value: Version) { append(.version, UInt64(bitPattern: value.counter)) }

    /// Records text.
    public mutating func text(_ bytes: Span<UInt8>) { append(.text, bytes) }
    /// Records a decimal.
    public mutating func decimal(_ digits: Span<UInt8>) { append(.decimal, digits) }

    private mutating func append(_ tag: Tag, _ span: Span<UInt8>) {
        append(tag, UInt64(span.count))
        for index in span.indices { bytes.append(span[index]) }
    }

    private mutating func append(_ tag: Tag, _ number: UInt64) {
        bytes.append(tag.rawValue)
        append(number)
    }

    private mutating func append(_ number: UInt64) {
        for shift in stride(from: UInt64(56), through: 0, by: -8) { bytes.append(UInt8(number >> shift & 255)) }
    }

    private mutating func append(_ text: String) {
        append(UInt64(text.utf8.count))
        bytes += text.utf8
    }
}

extension RowRecord {
    /// Visits the row.
    /// - Returns: the visitor after it; nil where the bytes are not a record.
    public func visited<Row: RowVisitor>(by row: Row) -> Row? {
        var reader = Reader(bytes: bytes)
        guard reader.byte() == Self.form, let fields = reader.fields() else { return nil }
        var row = row
        row.begin(fields)
        row.beginRow()
        for _ in fields where !reader.cell(into: &row) { return nil }
        row.endRow()
        return row
    }

    /// Whatever is no part of a record is nil.
    private struct Reader {
        let bytes: [UInt8]
        var position = 0

        mutating func byte() -> UInt8? {
            guard position < bytes.count else { return nil }
            position += 1
            return bytes[position - 1]
        }

        mutating func number() -> UInt64? {
            guard bytes.count - position >= 8 else { return nil }
            position += 8
            return bytes[position - 8..<position].reduce(0) { $0 << 8 | UInt64($1) }
        }

        mutating func slice() -> ArraySlice<UInt8>? {
            guard let count = number(), count <= UInt64(bytes.count - position) else { return nil }
            position += Int(count)
            return bytes[position - Int(count)..<position]
        }

        mutating func text() -> String? {
            slice().map { String(decoding: $0, as: UTF8.self) }
        }

        mutating func fields() -> [Field]? {
            guard let count = number(), count <= UInt64(bytes.count) else { return nil }
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
        mutating func cell<Row: RowVisitor>(into row: inout Row) -> Bool {
            guard let tag = byte().flatMap({ Tag(rawValue: $0) }) else { return false }
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
}

/// A visitor that keeps a record of the row beside another visitor.
public struct RecordedVisit<Row: RowVisitor>: RowVisitor {
    /// The other visitor.
    public private(set) var row: Row
    /// The record.
    public private(set) var record = RowRecord()

    /// - Parameter row: the visitor to go along with.
    public init(_ row: Row) {
        self.row = row
    }

    /// Hands on the columns.
    public mutating func begin(_ fields: [Field]) {
        row.begin(fields)
        record.begin(fields)
    }

    /// Hands on the beginning of the row.
    public mutating func beginRow() { row.beginRow() }
    /// Hands on the end of the row.
    public mutating func endRow() { row.endRow() }

    /// Hands on a null.
    public mutating func null() {
        row.null()
        record.null()
    }

    /// Hands on a boolean.
    public mutating func boolean(_ value: Bool) {
        row.boolean(value)
        record.boolean(value)
    }

    /// Hands on a whole number.
    public mutating func integer(_ value: Int64) {
        row.integer(value)
        record.integer(value)
    }

    /// Hands on a number.
    public mutating func number(_ value: Double) {
        row.number(value)
        record.number(value)
    }

    /// Hands on text.
    public mutating func text(_ bytes: Span<UInt8>) {
        row.text(bytes)
        record.text(bytes)
    }

    /// Hands on a decimal.
    public mutating func decimal(_ digits: Span<UInt8>) {
        row.decimal(digits)
        record.decimal(digits)
    }

    /// Hands on a version.
    public mutating func version(_ value: Version) {
        row.version(value)
        record.version(value)
    }
}
