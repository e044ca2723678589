public import JSONText
import OData
public import Tables

/// A row as values, for those who look at it beside the client.
public struct RowCopy: Sendable, Equatable {
    /// The columns.
    public private(set) var fields: [Field] = []
    /// Their values. Dates are text in the wire form, and so is the version.
    public private(set) var values: [Value] = []

    /// An empty row.
    public init() {}

    /// The value of a column by its name in any case; nil where the row has no such column.
    public subscript(name: String) -> Value? {
        guard let index = fields.firstIndex(where: { $0.name.lowercased() == name.lowercased() }),
            index < values.count
        else { return nil }
        return values[index]
    }

    /// Appends the row as a JSON object, with the names of the v2 wire.
    public func append(to json: inout JSONWriter) {
        json.raw("{")
        for (index, (field, value)) in zip(fields, values).enumerated() {
            if index > 0 { json.raw(",") }
            json.string(field.name)
            json.raw(":")
            switch value {
            case .null: json.raw("null")
            case .boolean(let value): json.boolean(value)
            case .integer(let value): json.integer(value)
            case .number(let value): json.number(value)
            case .decimal(let value): json.building { $0.append(contentsOf: value.text.utf8) }
            case .text(let value): json.string(value)
            case .date(let value): json.string(value.wireText)
            }
        }
        json.raw("}")
    }

    mutating func begin(_ fields: [Field]) {
        self.fields = fields
        values = []
        values.reserveCapacity(fields.count)
    }

    mutating func append(_ value: Value) {
        values.append(value)
    }
}

/// Passes one row on to another visitor, and copies it where somebody wants to look at it.
struct WatchedRow<Row: RowVisitor>: RowVisitor {
    var row: Row
    private(set) var copy: RowCopy?

    init(_ row: Row, copies: Bool) {
        self.row = row
        copy = copies ? RowCopy() : nil
    }

    mutating func begin(_ fields: [Field]) {
        row.begin(fields)
        copy?.begin(fields)
    }

    mutating func beginRow() {
        row.beginRow()
    }

    mutating func null() {
        row.null()
        copy?.append(.null)
    }

    mutating func boolean(_ value: Bool) {
        row.boolean(value)
        copy?.append(.boolean(value))
    }

    mutating func integer(_ value: Int64) {
        row.integer(value)
        copy?.append(.integer(value))
    }

    mutating func number(_ value: Double) {
        row.number(value)
        copy?.append(.number(value))
    }

    mutating func decimal(_ digits: Span<UInt8>) {
        row.decimal(digits)
        // What a store sends here is a decimal.
        copy?.append(DecimalNumber(Self.string(digits)).map(Value.decimal) ?? .null)
    }

    mutating func text(_ bytes: Span<UInt8>) {
        row.text(bytes)
        copy?.append(.text(Self.string(bytes)))
    }

    mutating func version(_ value: Version) {
        row.version(value)
        copy?.append(.text(value.wireText))
    }

    private static func string(_ bytes: Span<UInt8>) -> String {
        unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }

    mutating func endRow() {
        row.endRow()
    }
}
