public import OData
import Synchronization
public import Tables

/// A cache of statements that read a row by id: another id only needs new bindings.
public final class FindCache: Sendable {
    private struct Key: Hashable {
        let table: ObjectIdentifier
        let isNumber: Bool
        let includesDeleted: Bool
    }

    private struct Entry {
        /// Retained, so that no other table gets its address.
        let table: Table
        let text: String
    }

    private let dialect: any SQLDialect
    private let capacity: Int
    private let entries = Mutex<[Key: Entry]>([:])

    /// - Parameter capacity: the number of statements to keep. If it is exceeded, all are dropped.
    public init(_ dialect: any SQLDialect, capacity: Int = 512) {
        self.dialect = dialect
        self.capacity = capacity
    }

    /// Returns the statement that reads a row, as created by `FindStatement`, with the columns that it returns.
    /// - Throws: the errors of `FindStatement`.
    public func statement(
        for id: RowID, in table: Table, select: [SelectedName]?, includeDeleted: Bool, scope: RowScope?
    ) throws(QueryError) -> (SQLText, layout: RowLayout) {
        let isNumber = if case .integer = id { true } else { false }
        let key = Key(table: ObjectIdentifier(table), isNumber: isNumber, includesDeleted: includeDeleted)
        let isUsual = select == nil && scope == nil
        if isUsual, let known = entries.withLock({ $0[key]?.text }) {
            let bindings = FindStatement.bindings(for: id, in: table, includeDeleted: includeDeleted)
            return (SQLText(known, bindings), table.layout)
        }
        let target = RowTarget(id, includesTombstones: includeDeleted, scope: scope)
        let find = try FindStatement(target, in: table, select: select, dialect: dialect)
        if isUsual {
            entries.withLock { entries in
                if entries.count >= capacity { entries.removeAll() }
                entries[key] = Entry(table: table, text: find.sql.text)
            }
        }
        return (find.sql, find.layout)
    }
}
