/// One statement of a script.
enum TransactStatement: Sendable {
    case select(TransactQuery)
    case insert(TransactInsert)
    case change(TransactChange)
    /// `DECLARE @name type = value`, for each of its variables.
    case declare([(name: TransactName, type: TransactDataType, value: TransactExpression?)])
    case set(TransactName, TransactExpression)
    case merge(TransactMerge)
    /// `IF … ELSE …`, each with a statement or a block.
    case branch(TransactCondition, [TransactStatement], otherwise: [TransactStatement], TransactPlace)
    /// RAISERROR and THROW, with the message.
    case raise(TransactExpression, TransactPlace)
    /// RETURN.
    case end

    /// Whether it may write.
    var isWriting: Bool {
        switch self {
        case .insert, .change, .merge: true
        case .select, .declare, .set, .raise, .end: false
        case .branch(_, let statements, let others, _): (statements + others).contains(where: \.isWriting)
        }
    }
}

/// `INSERT INTO table (columns) VALUES … | SELECT …`.
struct TransactInsert: Sendable {
    enum Rows: Sendable {
        case values([[TransactExpression?]])
        case query(TransactQuery)
        /// `DEFAULT VALUES`.
        case defaults
    }

    let table: TransactName
    /// The columns; empty if none are named.
    let columns: [TransactName]
    let output: [TransactOutput]
    let rows: Rows
    let place: TransactPlace
}

/// `UPDATE table SET … FROM … WHERE …` or `DELETE FROM table FROM … WHERE …`.
struct TransactChange: Sendable {
    /// The table, or the alias that FROM gives it.
    let target: TransactName
    /// The maximum number of rows.
    var top: TransactExpression?
    /// The assignments; nil for a DELETE.
    var assignments: [(column: TransactName, value: TransactExpression)]?
    var output: [TransactOutput] = []
    var sources: [TransactSource] = []
    var condition: TransactCondition?
}

/// A column that a write outputs for each row.
struct TransactOutput: Sendable {
    /// Whether it is the value before the write instead of after it.
    let isBefore: Bool
    /// The column; nil for all.
    let column: TransactName?
    let name: String?
    let place: TransactPlace
    /// Whether it is a MERGE's `$action` instead of a column.
    var isAction = false
}
