import JSONText
import Scalars
import Tables

/// A row as v3 answers it, with what conditional requests and patches need of it.
struct DatasyncRow: RowVisitor {
    private(set) var json = RowJSON.item()
    private(set) var updatedAt: Instant?
    private(set) var isDeleted = false
    /// The cells by column; empty unless `keepsValues` is set.
    private(set) var values: [Field: JSONValue] = [:]
    private let keepsValues: Bool
    private var fields: [Field] = []
    private var cell = 0

    /// - Parameter keepsValues: whether to keep the cells, for a patch that reads the row.
    init(keepsValues: Bool = false) {
        self.keepsValues = keepsValues
    }

    /// Set for every row that a store has visited.
    var version: Version? { json.version }

    mutating func begin(_ layout: RowLayout) {
        fields = layout.fields
        json.begin(layout)
    }

    mutating func beginRow() {
        cell = 0
        json.beginRow()
    }

    mutating func null() {
        keep(.null)
        json.null()
    }

    mutating func boolean(_ value: Bool) {
        if fields[cell] == .system(.deleted) { isDeleted = value }
        keep(.boolean(value))
        json.boolean(value)
    }

    mutating func integer(_ value: Int64) {
        // Ids are text to these clients, including the digits of a number.
        let isID = fields[cell] == .system(.id)
        keep(isID ? .string(String(value)) : .integer(value))
        json.integer(value)
    }

    mutating func number(_ value: Double) {
        keep(.number(value))
        json.number(value)
    }

    mutating func decimal(_ digits: Span<UInt8>) {
        if keepsValues {
            let text = unsafe digits.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
            keep(.precise(text, nearest: Double(text) ?? .nan))
        } else {
            cell += 1
        }
        json.decimal(digits)
    }

    mutating func text(_ bytes: Span<UInt8>) {
        let isStamp = fields[cell] == .system(.updatedAt)
        if isStamp || keepsValues {
            let text = unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
            if isStamp { updatedAt = Instant(text) }
            keep(.string(text))
        } else {
            cell += 1
        }
        json.text(bytes)
    }

    mutating func version(_ value: Version) {
        keep(.string(value.wireText))
        json.version(value)
    }

    mutating func endRow() {
        json.endRow()
    }

    /// Completes a cell.
    private mutating func keep(_ value: @autoclosure () -> JSONValue) {
        if keepsValues { values[fields[cell]] = value() }
        cell += 1
    }
}
