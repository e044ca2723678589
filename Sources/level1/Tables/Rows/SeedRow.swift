import Scalars

/// A row of a definition, inserted when the definition's table is created.
public struct SeedRow: Sendable {
    /// The id; random if a row of a table with text ids has none, nil if the table numbers its rows.
    public let id: RowID?
    /// The members except the id.
    public let properties: [Property]

    /// - Throws: `definition` if the row's id isn't valid in the table.
    public init(_ members: [Property], for table: Table) throws(TableError) {
        properties = members.filter { $0.name.lowercased() != SystemColumn.id.rawValue }
        id = try Self.id(of: members, in: table)
    }

    private static func id(of members: [Property], in table: Table) throws(TableError) -> RowID? {
        let given = members.last { $0.name.lowercased() == SystemColumn.id.rawValue }?.value ?? .null
        switch (given, table.rules.autoIncrement) {
        case (.null, true): return nil
        case (.null, false): return .text(RandomID.make())
        case (.integer(let number), true) where number <= RowID.highestNumber: return .integer(number)
        case (.decimal(let number), true):
            if let whole = number.whole, whole <= RowID.highestNumber { return .integer(whole) }
        case (.number(let number), true):
            if let whole = Int64(exactly: number), whole <= RowID.highestNumber { return .integer(whole) }
        case (.text(let text), false):
            if !text.isEmpty, RowID.fault(inNew: text) == nil { return .text(text) }
        default: break
        }
        throw .definition("its id can't be one")
    }

    /// Returns the operator's error for a row that can't be written; errors of the database itself stay as they are.
    /// - Parameter row: the row's number, counted from 1.
    public static func failure(_ error: TableError, row: Int, of table: Identifier) -> TableError {
        let sentence: String
        switch error {
        case .definition(let words): sentence = words
        case .unknownProperty(let name): sentence = "\(name) is not a column"
        case .reservedProperty(let name): sentence = "only the server sets \(name)"
        case .invalidColumnName(let name): sentence = "\(name) can't be a column's name"
        case .typeMismatch(let property, .string, .text):
            sentence = "\(property) has a type of its own in the database, which the text doesn't fit"
        case .typeMismatch(let property, let column, let found):
            sentence = "\(property) is a \(column.rawValue) column, not for \(found.kind)"
        case .tooManyDigits(let property, let limit): sentence = "\(property) has more than \(limit) digits"
        case .tooManyColumns(let limit): sentence = "the table would have more than \(limit) columns"
        case .query, .outsideScope, .tooManyClientColumns, .tooManyClientTables: sentence = "it can't be written"
        case .refused(_, let detail): sentence = "the database refuses it: \(detail)"
        case .unavailable, .away, .doubtful, .timeout, .busy, .crowded,
            .abandoned, .tooLarge, .full, .failed:
            return error
        }
        return .definition("table \(table): seed row \(row): \(sentence)")
    }
}
