/// One statement of a script.
enum TransactStatement: Sendable {
    case select(TransactQuery)
    case insert(TransactInsert)
    case change(TransactChange)
    /// `DECLARE @name type = value`, for each of its variables.
    case declare([(name: TransactName, type: TransactDataType, value: TransactExpression?)])
    case set(TransactName, TransactExpression)
    case merge(TransactMerge)
    /// `IF … ELSE …`, each a statement or a block.
    case branch(TransactCondition, [TransactStatement], otherwise: [TransactStatement], TransactPlace)
    /// RAISERROR and THROW, with their text.
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
    /// Empty where none are named.
    let columns: [TransactName]
    let output: [TransactOutput]
    let rows: Rows
    let place: TransactPlace
}

/// `UPDATE table SET … FROM … WHERE …` or `DELETE FROM table FROM … WHERE …`.
struct TransactChange: Sendable {
    /// The table, or the alias that FROM gives it.
    let target: TransactName
    /// How many rows at most.
    var top: TransactExpression?
    /// What is set; nil for rows that are deleted.
    var assignments: [(column: TransactName, value: TransactExpression)]?
    var output: [TransactOutput] = []
    var sources: [TransactSource] = []
    var condition: TransactCondition?
}

/// A column that a write answers of each row.
struct TransactOutput: Sendable {
    /// Whether the row as it was before is meant, and not as it is after.
    let isBefore: Bool
    /// nil for all columns.
    let column: TransactName?
    let name: String?
    let place: TransactPlace
    /// Whether it is `$action` of a MERGE, and no column.
    var isAction = false
}
