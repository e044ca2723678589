package import OData
import Scalars
import Tables

/// Converts an expression to SQL: finds its columns, checks that its parts fit together, and chooses how text compares.
struct ExpressionResolver {
    let table: Table
    let comparison: TextComparison
    let nulls: NullComparison
    let dialect: any SQLDialect
    /// The query option that contains the expression, for errors.
    let option: String
    /// The time that `now()` returns; nil for the database's.
    var present: Instant?
    /// Values used instead of columns: those that a row is about to get.
    var given: [Field: Value] = [:]
    /// Whether a missing column is null instead of an error.
    var lacksAreNull = false

    /// Whether values of another type are accepted if nothing gets lost: in v1 and v2, whose nulls are SQL's.
    var takesOtherKinds: Bool { nulls == .unknown }

    /// Resolves a filter, which must be a boolean expression.
    func condition(_ expression: Expression) throws(QueryError) -> Operand {
        let operand = try resolve(expression)
        guard operand.type == .boolean || operand.type == .null else {
            throw clash(at: operand.offset, "A filter is true or false, but this one is \(operand.description).")
        }
        try checkDepth(operand)
        return operand
    }

    /// Throws if an expression is too deep for the database's parser.
    func checkDepth(_ operand: Operand) throws(QueryError) {
        guard operand.sql.depth <= dialect.maximumDepth else {
            throw QueryError(
                option, at: operand.offset,
                .overLimit(.levelsOfSQL, limit: dialect.maximumDepth, found: operand.sql.depth))
        }
    }

    func resolve(_ expression: Expression) throws(QueryError) -> Operand {
        switch expression {
        case .literal(let literal, let offset):
            return Operand(literal, at: offset)
        case .column(let name, let offset):
            return try column(name, at: offset)
        case .not(let inner, let offset):
            return negation(of: try predicate(inner, of: "not", at: offset), at: offset)
        case .negate(let inner, let offset):
            let operand = try number(try resolve(inner), of: "-", at: offset)
            let sql = operand.sql(within: .primary)
            let negated = dialect.arithmetic(.negate, of: operand.numberKind, [sql])
            return Operand(negated ?? "(-\(sql))", operand.type, at: offset)
        case .binary(.and, _, _, let offset):
            return try chain(expression, of: .and, at: offset)
        case .binary(.or, _, _, let offset):
            return try chain(expression, of: .or, at: offset)
        case .binary:
            return try operation(expression)
        case .among(let value, let list, let offset):
            return try among(value, list, at: offset)
        case .call(let function, let arguments, let offset):
            return try call(function, arguments, at: offset)
        }
    }

    private func column(_ name: String, at offset: Int) throws(QueryError) -> Operand {
        guard let field = table.field(named: name) else {
            if lacksAreNull { return Operand(.null, at: offset) }
            throw QueryError(option, at: offset, .unknownColumn(name))
        }
        var operand = Operand(field, of: table, at: offset)
        switch given[field] {
        case nil: return operand
        case .null: return Operand(.null, at: offset)
        case let value?:
            operand.sql = SQLFragment(value)
            operand.field = nil
            return operand
        }
    }

    func clash(at offset: Int, _ sentence: String) -> QueryError {
        QueryError(option, at: offset, .typeClash(sentence))
    }

    /// Returns the negation of a condition.
    func negation(of operand: Operand, at offset: Int) -> Operand {
        switch nulls {
        case .unknown: Operand("NOT \(operand.sql(within: .primary))", .boolean, .not, at: offset)
        case .value: Operand("\(operand.sql(within: .primary)) IS NOT TRUE", .boolean, .comparison, at: offset)
        }
    }

    /// Joins a chain of `and`s or `or`s, however it was nested: clients write long lists of alternatives.
    private func chain(
        _ expression: Expression, of joint: BinaryOperator, at offset: Int
    ) throws(QueryError) -> Operand {
        var rest = expression
        var members: [(expression: Expression, offset: Int)] = []
        while case .binary(joint, let left, let right, let offset) = rest {
            members.append((right, offset))
            rest = left
        }
        let strength: Operand.Strength = joint == .and ? .and : .or
        var sql = try predicate(rest, of: joint.rawValue, at: members[members.count - 1].offset).sql(within: strength)
        for member in members.reversed() {
            let next = try predicate(member.expression, of: joint.rawValue, at: member.offset).sql(within: strength)
            sql = joint == .and ? "\(sql) AND \(next)" : "\(sql) OR \(next)"
        }
        return Operand(sql, .boolean, strength, at: offset)
    }

    /// Resolves comparisons and calculations from the innermost left one outwards: a long sum must not use up the
    /// stack.
    private func operation(_ expression: Expression) throws(QueryError) -> Operand {
        var rest = expression
        var steps: [(binary: BinaryOperator, right: Expression, offset: Int)] = []
        while case .binary(let binary, let left, let right, let offset) = rest, binary != .and, binary != .or {
            steps.append((binary, right, offset))
            rest = left
        }
        var left = try resolve(rest)
        for step in steps.reversed() {
            let right = try resolve(step.right)
            left =
                try step.binary.isComparison
                ? compare(step.binary, left, right, at: step.offset)
                : arithmetic(step.binary, left, right, at: step.offset)
        }
        return left
    }

    private func predicate(
        _ expression: Expression, of name: String, at offset: Int
    ) throws(QueryError) -> Operand {
        let operand = try resolve(expression)
        guard operand.type == .boolean || operand.type == .null else {
            throw clash(at: offset, "`\(name)` needs conditions, but it is given \(operand.description).")
        }
        return operand
    }
}

extension BinaryOperator {
    var isComparison: Bool { sign != nil }

    /// The comparison operator in SQL; nil for other operators.
    package var sign: String? {
        switch self {
        case .equal: "="
        case .notEqual: "<>"
        case .greater: ">"
        case .greaterOrEqual: ">="
        case .less: "<"
        case .lessOrEqual: "<="
        case .or, .and, .add, .subtract, .multiply, .divide, .divideBy, .modulo: nil
        }
    }

    /// The operator as a fragment.
    var sql: SQLFragment { SQLFragment(stringLiteral: sign ?? "=") }

    /// The same comparison with its sides swapped.
    var turned: BinaryOperator {
        switch self {
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        default: self
        }
    }

    /// The opposite comparison, among values with an order; nil for other operators.
    var opposite: BinaryOperator? {
        switch self {
        case .less: .greaterOrEqual
        case .lessOrEqual: .greater
        case .greater: .lessOrEqual
        case .greaterOrEqual: .less
        default: nil
        }
    }
}
