/// `MERGE table USING source ON … WHEN …`.
struct TransactMerge: Sendable {
    /// One WHEN clause.
    struct Clause: Sendable {
        enum Rows: Sendable {
            case matched
            case notMatched
            case notMatchedBySource
        }

        enum Action: Sendable {
            case update([(column: TransactName, value: TransactExpression)])
            case delete
            case insert([TransactName], [TransactExpression])
        }

        let rows: Rows
        let condition: TransactCondition?
        let action: Action
        let place: TransactPlace
    }

    let table: TransactName
    let alias: TransactName?
    let source: TransactSource
    let condition: TransactCondition
    let clauses: [Clause]
    let output: [TransactOutput]
    let place: TransactPlace

    /// The name that qualifies its columns.
    var name: TransactName { alias ?? table }
}
