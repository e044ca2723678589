import TableSQL
import Tables

/// A statement that writes, with what reads the rows that it answers.
///
/// These are read before and after it by statements of their own: what a database's RETURNING tells of a row is not
/// what the table's triggers make of it.
struct TransactWrite {
    struct Output {
        let name: String
        let isBefore: Bool
        /// Which column of the rows before or after.
        let column: Int
    }

    let table: Table
    /// The rows as they are before, their ids first; nil where nobody asks.
    var before: SQLText?
    let statement: SQLText
    /// Whether the statement answers the ids of its rows.
    var returnsIDs = false
    var beforeFields: [Field] = []
    var afterFields: [Field] = []
    var outputs: [Output] = []

    /// How many rows are read at a time.
    static let chunk = 500

    var idColumns: [TransactColumn] { columns([]) }
    var beforeColumns: [TransactColumn] { columns(beforeFields) }
    var afterColumns: [TransactColumn] { columns(afterFields) }
    var needsAfter: Bool { outputs.contains { !$0.isBefore } }

    private func columns(_ fields: [Field]) -> [TransactColumn] {
        ([.system(.id)] + fields).map { TransactColumn(name: $0.name, type: TransactType($0, of: table)) }
    }

    /// Reads the rows with some ids as they are after the statement.
    func after(_ ids: [Value], _ dialect: any TransactDialect) throws(StatementFault) -> SQLText {
        let list = SQLFragment.list(([.system(.id)] + afterFields).map { SQLFragment($0) })
        return try TransactText.build(
            "SELECT \(list) FROM \(SQLFragment(table.name)) WHERE \"id\" IN (\(.list(ids.map { SQLFragment($0) })))",
            dialect)
    }
}
