/// A function with OVER: computed for a row from the surrounding rows.
struct TransactWindow: Sendable {
    enum Function: Sendable {
        /// ROW_NUMBER, RANK and so on, by its name in capitals.
        case function(String, [TransactExpression])
        /// `COUNT(*)` has no argument.
        case aggregate(TransactAggregate, TransactExpression?)
    }

    let function: Function
    let partition: [TransactExpression]
    let order: [TransactOrder]

    /// The functions that require OVER.
    static let names = ["ROW_NUMBER", "RANK", "DENSE_RANK", "NTILE", "LAG", "LEAD", "FIRST_VALUE"]

    /// Whether it contains an aggregate other than its own.
    var isAggregated: Bool {
        let arguments =
            switch function {
            case .function(_, let arguments): arguments
            case .aggregate(_, let argument): argument.map { [$0] } ?? []
            }
        return (arguments + partition + order.map(\.expression)).contains { $0.isAggregated }
    }
}
