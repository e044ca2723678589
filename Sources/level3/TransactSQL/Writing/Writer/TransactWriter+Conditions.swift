import OData
import TableSQL
import Tables

extension TransactWriter {
    /// Translates a condition to SQL that needs no parentheses beside AND and OR.
    func condition(_ condition: TransactCondition, in scope: TransactScope) throws(StatementFault) -> SQLFragment {
        switch condition {
        case .all(let members): return "(\(try chain(members, by: " AND ", in: scope)))"
        case .any(let members): return "(\(try chain(members, by: " OR ", in: scope)))"
        case .not(.isNull(let value, _)): return "(\(try resolve(value, in: scope).sql) IS NOT NULL)"
        case .not(let inner): return "(NOT \(try self.condition(inner, in: scope)))"
        case .isNull(let value, _): return "(\(try resolve(value, in: scope).sql) IS NULL)"
        case .compare(let comparison, let left, let right, let place):
            return try compared(comparison, try resolve(left, in: scope), try resolve(right, in: scope), at: place)
        case .between(let value, let least, let greatest, let place):
            let operand = try resolve(value, in: scope)
            let first = try compared(.greaterOrEqual, operand, try resolve(least, in: scope), at: place)
            let second = try compared(.lessOrEqual, operand, try resolve(greatest, in: scope), at: place)
            return "(\(first) AND \(second))"
        case .like(let value, let pattern, let escape, let place):
            return try like(value, pattern, escape: escape, at: place, in: scope)
        case .among(let value, let members, let place):
            return try among(try resolve(value, in: scope), members, at: place, in: scope)
        case .amongRows(let value, let query, let place):
            return try among(try resolve(value, in: scope), rowsOf: query, at: place, in: scope)
        case .exists(let query, _):
            return "(EXISTS (\(try self.query(query, in: scope).sql)))"
        }
    }

    private func chain(
        _ members: [TransactCondition], by joint: SQLFragment, in scope: TransactScope
    ) throws(StatementFault) -> SQLFragment {
        .list(try members.map { member throws(StatementFault) in try condition(member, in: scope) }, by: joint)
    }

    /// Compares like SQL Server by default: texts ignoring case, but ids exactly, as in the rest of the server.
    func compared(
        _ comparison: TransactComparison, _ left: TransactOperand, _ right: TransactOperand, at place: TransactPlace
    ) throws(StatementFault) -> SQLFragment {
        let (left, right) = try matched(left, right, at: place)
        let sign = SQLFragment(stringLiteral: comparison.rawValue)
        if left.isNull || right.isNull { return "(\(dialect.null(.boolean)))" }
        switch left.type {
        case .text, .identifier:
            let rule = rule(of: [left, right], isOrder: comparison != .equal && comparison != .notEqual)
            if rule != .exact, let served = served(comparison, left, right) { return "(\(served))" }
            let first = left.isPlain ? dialect.compared(left.sql, by: rule) : dialect.calculated(left.sql, by: rule)
            let isExact = rule == .exact && !right.isPlain
            let second = isExact ? dialect.exact(right.sql) : dialect.collated(right.sql, by: rule)
            return "(\(first) \(sign) \(second))"
        case .decimal:
            return "(\(left.sql) \(sign) \(dialect.compared(decimal: right.sql)))"
        case .boolean where comparison != .equal && comparison != .notEqual:
            return "(\(dialect.whole(ofBoolean: left.sql)) \(sign) \(dialect.whole(ofBoolean: right.sql)))"
        default:
            return "(\(left.sql) \(sign) \(right.sql))"
        }
    }

    /// Returns a column's comparison with a constant text in a form that its index supports.
    private func served(
        _ comparison: TransactComparison, _ left: TransactOperand, _ right: TransactOperand
    ) -> SQLFragment? {
        guard left.isColumn, let constant = right.sql.constantText,
            let relation = BinaryOperator.allCases.first(where: { $0.sign == comparison.rawValue })
        else { return nil }
        return dialect.compared(left.sql, relation, constant: constant)
    }

    func rule(of operands: [TransactOperand], isOrder: Bool = false) -> TextRule {
        if operands.contains(where: { $0.type == .identifier }) { return .exact }
        if isOrder { return .ordered }
        let isASCII = operands.contains { $0.constantText?.isPlainASCII == true }
        return isASCII ? .ignoringASCIICase : .ignoringCase
    }

    /// Converts two values to one type: a constant takes the type of the other side.
    private func matched(
        _ left: TransactOperand, _ right: TransactOperand, at place: TransactPlace
    ) throws(StatementFault) -> (TransactOperand, TransactOperand) {
        if left.type.isText, right.type.isText { return (left, right) }
        if left.constant == nil, let value = right.constant, let fit = fit(value, beside: left.type) {
            return (left, try converted(right, to: fit, at: place))
        }
        if right.constant == nil, let value = left.constant, let fit = fit(value, beside: right.type) {
            return (try converted(left, to: fit, at: place), right)
        }
        let (operands, _) = try unified([left, right], at: place)
        return (operands[0], operands[1])
    }

    /// Returns the type that a constant takes beside another operand; nil if both have to change.
    private func fit(_ value: Value, beside type: TransactType) -> TransactType? {
        switch (value, type) {
        case (.null, _): type
        case (.integer(0), .boolean), (.integer(1), .boolean), (.boolean, .boolean), (.text, .boolean): .boolean
        case (.text, .date), (.text, .version), (.integer, .version): type
        case (.text, .whole), (.text, .real), (.text, .decimal): type
        case (.integer, .text), (.number, .text), (.decimal, .text), (.date, .text): .text
        case (.integer, .identifier), (.number, .identifier): .identifier
        case (.number, .decimal), (.integer, .decimal): .decimal
        default: nil
        }
    }

    // MARK: IN

    private func among(
        _ value: TransactOperand, _ members: [TransactExpression], at place: TransactPlace, in scope: TransactScope
    ) throws(StatementFault) -> SQLFragment {
        var left = value
        var rights: [TransactOperand] = []
        for member in members {
            let (first, second) = try matched(value, try resolve(member, in: scope), at: place)
            // One member with a fraction makes all of them real numbers.
            if rights.isEmpty || first.type == .real || left.type != .real { left = first }
            rights.append(second)
        }
        if left.type.isNumber {
            for index in rights.indices where rights[index].type != left.type {
                rights[index] = try converted(rights[index], to: left.type, at: place)
            }
        }
        return "(\(membership(left, rights)))"
    }

    private func membership(_ left: TransactOperand, _ rights: [TransactOperand]) -> SQLFragment {
        switch left.type {
        case .text, .identifier:
            // A single rule for all members.
            let exact = ([left] + rights).contains { $0.type == .identifier }
            let isASCII = rights.allSatisfy { $0.isNull || $0.constantText?.isPlainASCII == true }
            let rule: TextRule = exact ? .exact : isASCII ? .ignoringASCIICase : .ignoringCase
            let members = rights.map { $0.isNull ? $0.sql : dialect.collated($0.sql, by: rule) }
            let sought =
                left.isPlain && exact ? dialect.collated(left.sql, by: rule) : dialect.sought(left.sql, by: rule)
            return "\(sought) IN (\(.list(members)))"
        case .decimal:
            let members = rights.map { dialect.compared(decimal: $0.sql) }
            return "\(dialect.compared(decimal: left.sql)) IN (\(.list(members)))"
        default:
            return "\(left.sql) IN (\(.list(rights.map(\.sql))))"
        }
    }

    private func among(
        _ value: TransactOperand, rowsOf query: TransactQuery, at place: TransactPlace, in scope: TransactScope
    ) throws(StatementFault) -> SQLFragment {
        let made = try self.query(query, in: scope)
        guard made.columns.count == 1 else { throw place.fault("A subquery of IN has one column.") }
        let source = nextSource()
        let column = TransactOperand("\(source).\(.column(1))", made.columns[0].type)
        let (left, right) = try matched(value, column, at: place)
        let rule: TextRule = rule(of: [left, right]) == .exact ? .exact : .ignoringCase
        var (first, second) = (left.sql, right.sql)
        if left.type.isText, rule != .exact { (first, second) = (folded(left), folded(right)) }
        if left.type == .decimal { first = dialect.compared(decimal: first) }
        if rule == .exact, left.type.isText, !left.isPlain { first = dialect.exact(first) }
        return "(\(first) IN (SELECT \(second) FROM (\(made.sql)) AS \(source)))"
    }
}
