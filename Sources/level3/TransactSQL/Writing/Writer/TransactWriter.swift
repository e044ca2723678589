import TableSQL
import Tables

/// Translates one statement of a script to a database's SQL: resolves its tables and columns, and checks that its
/// values go together.
final class TransactWriter {
    let dialect: any TransactDialect
    let context: TransactContext
    private var sourceCount = 0
    /// The total bytes of text in values, counted for each occurrence.
    private var valueBytes = 0

    init(_ context: TransactContext, _ dialect: any TransactDialect) {
        self.context = context
        self.dialect = dialect
    }

    func nextSource() -> SQLFragment {
        sourceCount += 1
        return .source(sourceCount)
    }

    /// Finds a table, which must be served.
    func table(_ name: TransactName) throws(StatementFault) -> Table {
        guard let table = context.table(name.text) else {
            throw name.place.fault("There is no table `\(name.text)`.")
        }
        return table
    }

    /// Resolves an expression; in a group, the grouped expressions represent its rows.
    func resolve(_ expression: TransactExpression, in scope: TransactScope) throws(StatementFault) -> TransactOperand {
        let strays = scope.grouping?.strays.count ?? 0
        var operand = try resolveAny(expression, in: scope)
        guard let grouping = scope.grouping, !scope.isInAggregate, grouping.keys.contains(operand.sql.key) else {
            return operand
        }
        scope.grouping?.strays.removeSubrange(strays...)
        // Texts of one group may differ in case. Both databases have to choose the same one.
        if operand.type == .text {
            operand = TransactOperand("min(\(dialect.exact(operand.sql)))", .text)
        }
        return operand
    }

    func resolve(
        _ expressions: [TransactExpression], in scope: TransactScope
    ) throws(StatementFault) -> [TransactOperand] {
        try expressions.map { expression throws(StatementFault) in try resolve(expression, in: scope) }
    }

    private func resolveAny(
        _ expression: TransactExpression, in scope: TransactScope
    ) throws(StatementFault) -> TransactOperand {
        switch expression {
        case .literal(let value, _): return try self.operand(value)
        case .placeholder(let index, let place):
            return try operand(context.value(ofPlaceholder: index, at: place))
        case .variable(let name):
            let (type, value) = try context.variable(name)
            var operand = try self.operand(value)
            if value == .null {
                operand.sql = dialect.null(type)
                operand.type = type
            }
            return operand
        case .rowCount: return TransactOperand(.integer(Int64(context.rowCount)))
        case .column(let name, let table): return try scope.column(name, of: table)
        case .negated(let inner, let place): return try negated(try resolve(inner, in: scope), at: place)
        case .binary(let operation, let left, let right, let place):
            return try calculated(
                operation, try resolve(left, in: scope), try resolve(right, in: scope), at: place)
        case .call(let function, let arguments, let place):
            return try call(function, arguments, at: place, in: scope)
        case .dateCall(let name, let part, let arguments, let place):
            return try dateCall(name, part, arguments, at: place, in: scope)
        case .aggregate(let aggregate, let isDistinct, let argument, let place):
            return try self.aggregate(aggregate, isDistinct, argument, at: place, in: scope)
        case .window(let window, let place): return try self.window(window, at: place, in: scope)
        case .cast(let value, let type, let style, let place):
            return try cast(try resolve(value, in: scope), type, style: style, at: place)
        case .cases(let branches, let otherwise, let place):
            return try cases(branches, otherwise, at: place, in: scope)
        case .subquery(let query, let place):
            let made = try self.query(query, in: scope)
            guard made.columns.count == 1 else { throw place.fault("A subquery in a value's place has one column.") }
            return TransactOperand("(\(made.sql))", made.columns[0].type)
        }
    }

    /// Binds a value. A long one named thousands of times would be folded as often before the statement as a whole is
    /// found to be too long; values that are examined twice may still occur.
    private func operand(_ value: Value) throws(StatementFault) -> TransactOperand {
        if case .text(let text) = value { valueBytes += text.utf8.count }
        guard valueBytes <= 4 * StatementScript.mostValueBytes else { throw TransactText.tooLargeValues }
        return TransactOperand(value)
    }

    private func cases(
        _ branches: [(TransactCondition, TransactExpression)], _ otherwise: TransactExpression?,
        at place: TransactPlace, in scope: TransactScope
    ) throws(StatementFault) -> TransactOperand {
        let conditions = try branches.map { branch throws(StatementFault) in try condition(branch.0, in: scope) }
        let values = try resolve(branches.map(\.1) + [otherwise ?? .literal(.null, place)], in: scope)
        let (unified, type) = try self.unified(values, at: place)
        var sql: SQLFragment = "CASE"
        for (condition, value) in zip(conditions, unified) { sql = "\(sql) WHEN \(condition) THEN \(value.sql)" }
        return TransactOperand("(\(sql) ELSE \(unified[unified.count - 1].sql) END)", type)
    }

    static let null = TransactOperand(.null)

    // MARK: Aggregates

    private func aggregate(
        _ aggregate: TransactAggregate, _ isDistinct: Bool, _ argument: TransactExpression?, at place: TransactPlace,
        in scope: TransactScope
    ) throws(StatementFault) -> TransactOperand {
        guard scope.takesAggregates, !scope.isInAggregate else {
            throw place.fault("`\(aggregate.rawValue)` can't stand here.")
        }
        guard let argument else { return TransactOperand("count(*)", .whole) }
        scope.isInAggregate = true
        defer { scope.isInAggregate = false }
        let operand = try resolve(argument, in: scope)
        let distinct: SQLFragment = isDistinct ? "DISTINCT " : ""
        switch aggregate {
        case .count:
            let isFolded = isDistinct && operand.type == .text
            return TransactOperand("count(\(distinct)\(isFolded ? folded(operand) : operand.sql))", .whole)
        case .sum, .average:
            let number = try summed(operand, by: aggregate, at: place)
            if number.type == .real {
                let name: SQLFragment = aggregate == .sum ? "sum" : "avg"
                return TransactOperand("\(name)(\(distinct)\(number.sql))", .real)
            }
            let sum = dialect.whole("sum(\(distinct)\(number.sql))")
            // SQL Server truncates the average of whole numbers too.
            return TransactOperand(
                aggregate == .sum ? sum : "(\(sum) / count(\(distinct)\(number.sql)))", .whole)
        case .least, .greatest:
            let isGreatest = aggregate == .greatest
            switch operand.type {
            case .boolean: throw place.fault("`\(aggregate.rawValue)` takes no bit.")
            case .text: return TransactOperand(dialect.extreme(ofText: operand.sql, isGreatest: isGreatest), .text)
            case .decimal:
                let sql = dialect.compared(decimal: operand.sql)
                return TransactOperand(isGreatest ? "max(\(sql))" : "min(\(sql))", .decimal)
            default:
                return TransactOperand(isGreatest ? "max(\(operand.sql))" : "min(\(operand.sql))", operand.type)
            }
        }
    }

    /// Returns a text that is equal for texts that only differ in case.
    func folded(_ operand: TransactOperand) -> SQLFragment { dialect.sql(.lower, [operand.sql]) }
}
