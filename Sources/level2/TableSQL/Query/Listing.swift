import OData
import Tables

extension ExpressionResolver {
    /// Returns whether a value is one of a list of constants; null is if the list contains it.
    func among(_ value: Expression, _ list: [Expression], at offset: Int) throws(QueryError) -> Operand {
        var value = try resolve(value)
        var rule = TextRule.exact
        var items: [Operand] = []
        var hasNull = false
        for expression in list {
            let item = try resolve(expression)
            if item.isNaN { continue }
            guard item.type != .null else {
                hasNull = true
                continue
            }
            guard value.type != .null else { continue }
            var (left, right) = try matched(.equal, value, item, at: offset)
            if left.type.isNumber {
                guard let listed = listed(right, for: left) else { continue }
                right = listed
            }
            if left.type.isText, self.rule(comparing: left, right) != .exact { rule = .ignoringCase }
            value = left
            items.append(right)
        }
        let missing: SQLFragment = "\(value.sql(within: .additive)) IS NULL"
        guard let first = items.first else {
            return hasNull ? Operand(missing, .boolean, .comparison, at: offset) : Operand(.boolean(false), at: offset)
        }
        if value.type == .date { value = shownBeside(items, value) }
        func sql(_ operand: Operand) -> SQLFragment {
            let sql = operand.sql(within: .primary)
            if operand.type == .decimal { return dialect.compared(decimal: sql) }
            return operand.type.isText ? dialect.collated(sql, by: rule) : sql
        }
        var members = sql(first)
        for item in items.dropFirst() { members = "\(members), \(sql(item))" }
        let found: SQLFragment = "\(sql(value)) IN (\(members))"
        guard hasNull else { return Operand(found, .boolean, .comparison, at: offset) }
        return Operand("\(found) OR \(missing)", .boolean, .or, at: offset)
    }
}

extension Operand {
    /// Whether the operand is NaN, which equals no other number.
    var isNaN: Bool {
        if case .real(let number) = literal { number.isNaN } else { false }
    }
}
