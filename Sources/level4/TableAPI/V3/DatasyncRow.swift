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

    mutating func visit(_ value: RowCell) {
        let field = fields[cell]
        switch (field, value.kind) {
        case (.system(.deleted), .boolean): isDeleted = value.isTrue
        case (.system(.updatedAt), .text), (.system(.updatedAt), .instant): updatedAt = Instant(value.text)
        default: break
        }
        if keepsValues { values[field] = Self.kept(value, of: field) }
        cell += 1
        json.visit(value)
    }

    mutating func endRow() {
        json.endRow()
    }

    private static func kept(_ cell: RowCell, of field: Field) -> JSONValue {
        switch cell.kind {
        case .null: .null
        case .boolean: .boolean(cell.isTrue)
        // Ids are text to these clients, a number's digits too.
        case .integer where field == .system(.id): .string(String(cell.whole))
        case .integer: .integer(cell.whole)
        case .number: .number(cell.number)
        case .decimal: .precise(cell.text, nearest: Double(cell.text) ?? .nan)
        case .text, .version, .instant: .string(cell.text)
        }
    }
}
