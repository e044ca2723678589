extension TransactExpression {
    /// Whether it contains an aggregate outside of subqueries.
    var isAggregated: Bool {
        switch self {
        case .aggregate: true
        case .literal, .variable, .placeholder, .rowCount, .column, .subquery: false
        case .window(let window, _): window.isAggregated
        case .negated(let inner, _), .cast(let inner, _, _, _): inner.isAggregated
        case .binary(_, let left, let right, _): left.isAggregated || right.isAggregated
        case .call(_, let arguments, _), .dateCall(_, _, let arguments, _): arguments.contains { $0.isAggregated }
        case .cases(let branches, let otherwise, _):
            otherwise?.isAggregated == true || branches.contains { $0.0.isAggregated || $0.1.isAggregated }
        }
    }
}

extension TransactCondition {
    /// Whether it contains an aggregate outside of subqueries.
    var isAggregated: Bool {
        switch self {
        case .compare(_, let left, let right, _): left.isAggregated || right.isAggregated
        case .isNull(let value, _), .amongRows(let value, _, _), .like(let value, _, _, _): value.isAggregated
        case .among(let value, let members, _): value.isAggregated || members.contains { $0.isAggregated }
        case .between(let value, let least, let most, _):
            value.isAggregated || least.isAggregated || most.isAggregated
        case .exists: false
        case .not(let inner): inner.isAggregated
        case .all(let members), .any(let members): members.contains { $0.isAggregated }
        }
    }
}

extension TransactSelect {
    /// Whether it has groups even without a GROUP BY.
    var hasAggregates: Bool {
        if having != nil { return true }
        return items.contains { item in
            switch item {
            case .all: false
            case .value(let expression, _), .assignment(_, let expression): expression.isAggregated
            }
        }
    }
}
