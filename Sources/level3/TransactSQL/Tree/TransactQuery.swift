/// A SELECT, or several joined by UNION, with the order of all rows.
struct TransactQuery: Sendable {
    /// The first SELECT, and the following ones with whether they keep duplicates.
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

/// An item in the list of a SELECT.
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

/// A source of rows.
struct TransactSource: Sendable {
    enum Rows: Sendable {
        case table(TransactName)
        case query(TransactQuery)
    }

    enum Joint: String, Sendable {
        /// A comma or CROSS JOIN, or the first source.
        case cross = "CROSS"
        case inner = "INNER"
        case left = "LEFT"
        case right = "RIGHT"
        case full = "FULL"
    }

    let rows: Rows
    /// The name that qualifies its columns; nil for the table's own.
    let alias: TransactName?
    /// How it is joined to the previous ones, and on which condition.
    var joint = Joint.cross
    var condition: TransactCondition?
    let place: TransactPlace
    /// The names of its columns, if specified.
    var columns: [TransactName] = []

    /// Returns the source, joined to the previous ones.
    func joined(_ joint: Joint, on condition: TransactCondition) -> TransactSource {
        var source = self
        (source.joint, source.condition) = (joint, condition)
        return source
    }
}
