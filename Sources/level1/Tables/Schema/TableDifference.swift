/// How a table in the database differs from what the server relies on.
///
/// Whatever compares them compares them so: a start and a change of the schema take the difference away or refuse it, a
/// look at the database takes the table out of service, and `zumod verify` reports it.
public enum TableDifference: Sendable, Equatable {
    /// It lacks one of the server's columns.
    case lost(SystemColumn)
    /// Its ids are of another kind.
    case otherIDs(areNumbers: Bool)
    /// It lacks a column that its definition names.
    case missing(Column)
    /// It has a column of its definition with another type.
    case otherType(Column, found: ColumnType)
}

extension TableSchema {
    /// Returns how the table differs from what the server relies on, the server's columns first. What it has besides is
    /// no difference.
    /// - Parameters:
    ///   - columns: the columns that its definition names.
    ///   - numbersRows: whether the database has to number its rows; nil if nothing determines that.
    public func differences(from columns: [Column] = [], numbersRows: Bool?) -> [TableDifference] {
        let isOther = numbersRows.map { $0 != hasIntegerID } ?? false
        return lostColumns.map(TableDifference.lost) + (isOther ? [.otherIDs(areNumbers: hasIntegerID)] : [])
            + columns.compactMap { column in
                guard let found = self.columns.first(where: { $0.name == column.name }) else { return .missing(column) }
                return found.type == column.type ? nil : .otherType(column, found: found.type)
            }
    }
}

extension TableDifference {
    /// Returns the column that takes the difference away.
    /// - Throws: what an operator has to do, if no column does.
    func column(addedTo table: Identifier) throws(TableError) -> Column {
        switch self {
        case .missing(let column): return column
        case .lost(let column):
            throw .definition("table \(table): the database's table has lost its column \(column.rawValue)")
        case .otherIDs(let areNumbers):
            let kind = areNumbers ? "whole numbers" : "text"
            throw .definition("table \(table): its ids are \(kind) already, so autoIncrement can't change")
        case .otherType(let column, let found):
            throw .definition(
                """
                table \(table): the column \(column.name) is defined as \(column.type.rawValue), but the database has \
                it as \(found.rawValue)
                """)
        }
    }

    /// Returns what `zumod verify` says; nil where a start refuses the table and says so.
    /// - Parameter names: of all the table's columns, whatever their types.
    public func finding(in table: Identifier, with names: [String]) -> Finding? {
        switch self {
        case .lost(let column) where names.contains(column.rawValue):
            Finding(
                .lostColumn, table: table.text, "its column \(column.rawValue) has a type that the server can't use",
                advice: "give it the type back that it had (ALTER TABLE), or restore the table from a backup")
        case .lost(let column):
            Finding(
                .lostColumn, table: table.text, "it has lost its column \(column.rawValue)",
                advice: "restore the table from a backup")
        case .missing(let column):
            Finding(
                .lostDefinedColumn, table: table.text,
                "it has no column \(column.name), which its definition names",
                advice: "run `zumod migrate`, which makes it, without values; those that were there are in a backup")
        case .otherIDs, .otherType: nil
        }
    }
}
