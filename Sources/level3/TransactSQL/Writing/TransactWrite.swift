import TableSQL
import Tables

/// A writing statement, with the statements that read the rows that it outputs.
///
/// These rows are read before and after it by separate statements: a database's RETURNING doesn't show what the table's
/// triggers change.
struct TransactWrite {
    struct Output {
        let name: String
        let isBefore: Bool
        /// The index of the column in the rows before or after.
        let column: Int
    }

    let table: Table
    /// Reads the rows as they are before, ids first; nil if not needed.
    var before: SQLText?
    let statement: SQLText
    /// Whether the statement returns the ids of its rows.
    var returnsIDs = false
    var beforeFields: [Field] = []
    var afterFields: [Field] = []
    var outputs: [Output] = []

    /// The number of rows to read at a time.
    static let chunk = 500

    var idColumns: [TransactColumn] { columns([]) }
    var beforeColumns: [TransactColumn] { columns(beforeFields) }
    var afterColumns: [TransactColumn] { columns(afterFields) }
    var needsAfter: Bool { outputs.contains { !$0.isBefore } }

    private func columns(_ fields: [Field]) -> [TransactColumn] {
        ([.system(.id)] + fields).map { TransactColumn(name: $0.name, type: TransactType($0, of: table)) }
    }

    /// Returns the statement that reads the rows with some ids after the write.
    func after(_ ids: [Value], _ dialect: any TransactDialect) throws(StatementFault) -> SQLText {
        let list = SQLFragment.list(([.system(.id)] + afterFields).map { SQLFragment($0) })
        return try TransactText.build(
            "SELECT \(list) FROM \(SQLFragment(table.name)) WHERE \"id\" IN (\(.list(ids.map { SQLFragment($0) })))",
            dialect)
    }
}
