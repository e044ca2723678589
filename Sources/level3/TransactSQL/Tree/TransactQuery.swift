/// A SELECT, or several that a UNION joins, with the order of all rows.
struct TransactQuery: Sendable {
    /// The first one, and those that follow with whether all rows of it are kept.
    var first: TransactSelect
    var others: [(select: TransactSelect, keepsAll: Bool)] = []
    var order: [TransactOrder] = []
    var offset: TransactExpression?
    var fetch: TransactExpression?
    let place: TransactPlace
}

/// One SELECT.
struct TransactSelect: Sendable {
    var isDistinct = false
    var top: TransactExpression?
    var items: [TransactItem] = []
    var sources: [TransactSource] = []
    var condition: TransactCondition?
    var grouping: [TransactExpression] = []
    var having: TransactCondition?
    let place: TransactPlace
}

/// What a SELECT answers.
enum TransactItem: Sendable {
    /// `*`, or all of one table.
    case all(of: TransactName?, TransactPlace)
    case value(TransactExpression, name: String?)
    /// `@variable = expression`.
    case assignment(TransactName, TransactExpression)
}

/// A term of an order.
struct TransactOrder: Sendable {
    let expression: TransactExpression
    let isDescending: Bool
}

/// What rows come from.
struct TransactSource: Sendable {
    enum Rows: Sendable {
        case table(TransactName)
        case query(TransactQuery)
    }

    enum Joint: String, Sendable {
        /// A comma or CROSS JOIN, and the first source.
        case cross = "CROSS"
        case inner = "INNER"
        case left = "LEFT"
        case right = "RIGHT"
        case full = "FULL"
    }

    let rows: Rows
    /// The name by which columns are told apart; a table's own where there is none.
    let alias: TransactName?
    /// How it is joined to those before it, and on which condition.
    var joint = Joint.cross
    var condition: TransactCondition?
    let place: TransactPlace
    /// What its columns are called, where it says so.
    var columns: [TransactName] = []

    /// The source, joined to those before it.
    func joined(_ joint: Joint, on condition: TransactCondition) -> TransactSource {
        var source = self
        (source.joint, source.condition) = (joint, condition)
        return source
    }
}
