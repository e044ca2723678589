import OData
import Tables

/// Writes a definition's rows into its new table, on the way of every other insert.
struct SeedRows {
    private let session: WriteSession

    init(_ session: WriteSession) {
        self.session = session
    }

    func insert(_ rows: [[Property]], into name: Identifier) throws(TableError) {
        for (index, row) in rows.enumerated() {
            do throws(TableError) {
                try insert(row, into: name)
            } catch {
                switch error {
                case .unavailable, .full, .failed: throw error
                default: throw .definition("table \(name): seed row \(index + 1): \(Self.sentence(for: error))")
                }
            }
        }
    }

    private func insert(_ row: [Property], into name: Identifier) throws(TableError) {
        let table = try session.table(named: name)
        let properties = row.filter { $0.name.lowercased() != SystemColumn.id.rawValue }
        let id = try Self.id(of: row, in: table)
        let changes = try table.changes(from: properties, for: .insert)
        let result = try session.insert(changes, from: properties, id: id, in: name, into: Unread())
        if result.outcome != .written { throw .definition("its id is taken") }
    }

    /// The row's id; a random one where a table with text ids is given none.
    private static func id(of row: [Property], in table: Table) throws(TableError) -> RowID? {
        let given = row.last { $0.name.lowercased() == SystemColumn.id.rawValue }?.value ?? .null
        switch (given, table.rules.autoIncrement) {
        case (.null, true): return nil
        case (.null, false): return .text(RandomID.make())
        case (.integer(let number), true): return .integer(number)
        case (.number(let number), true):
            if let whole = Int64(exactly: number) { return .integer(whole) }
        case (.text(let text), false):
            if !text.isEmpty, RowID.fault(inNew: text) == nil { return .text(text) }
        default: break
        }
        throw .definition("its id can't be one")
    }

    private static func sentence(for error: TableError) -> String {
        switch error {
        case .definition(let sentence): sentence
        case .unknownProperty(let name): "\(name) is not a column"
        case .reservedProperty(let name): "only the server sets \(name)"
        case .invalidColumnName(let name): "\(name) can't be a column's name"
        case .typeMismatch(let property, let column, let found):
            "\(property) is a \(column.rawValue) column, not for \(found.kind)"
        case .tooManyColumns(let limit): "the table would have more than \(limit) columns"
        case .query, .unavailable, .timeout, .full, .failed: "it can't be written"
        }
    }
}

/// A visitor that looks at nothing.
private struct Unread: RowVisitor {
    mutating func begin(_ fields: [Field]) {}
    mutating func beginRow() {}
    mutating func null() {}
    mutating func boolean(_ value: Bool) {}
    mutating func integer(_ value: Int64) {}
    mutating func number(_ value: Double) {}
    mutating func text(_ bytes: Span<UInt8>) {}
    mutating func version(_ value: Version) {}
    mutating func endRow() {}
}
