import OData
import Tables

extension ExpressionResolver {
    /// Calculates with two numbers. The result is whole if both are; anything with null is null.
    func arithmetic(
        _ binary: BinaryOperator, _ left: Operand, _ right: Operand, at offset: Int
    ) throws(QueryError) -> Operand {
        let (left, right, kind) = alike(
            try number(left, of: binary.rawValue, at: offset), try number(right, of: binary.rawValue, at: offset))
        let type = ValueType(kind)
        let operands = [left.sql(within: .primary), right.sql(within: .primary)]
        if let arithmetic = SQLArithmetic(binary),
            let sql = dialect.arithmetic(arithmetic, of: kind, operands)
        {
            return Operand(sql, type, at: offset)
        }
        switch binary {
        case .add:
            let sql: SQLFragment = "\(left.sql(within: .additive)) + \(right.sql(within: .multiplicative))"
            return Operand(sql, type, .additive, at: offset)
        case .subtract:
            let sql: SQLFragment = "\(left.sql(within: .additive)) - \(right.sql(within: .multiplicative))"
            return Operand(sql, type, .additive, at: offset)
        case .multiply:
            let sql: SQLFragment = "\(left.sql(within: .multiplicative)) * \(right.sql(within: .primary))"
            return Operand(sql, type, .multiplicative, at: offset)
        case .divide:
            return Operand(dialect.sql(.divide(kind), operands), type, at: offset)
        case .divideBy where kind == .decimal:
            return Operand(dialect.sql(.divide(.decimal), operands), .decimal, at: offset)
        case .divideBy:
            let dividend: SQLFragment = "CAST(\(operands[0]) AS DOUBLE PRECISION)"
            return Operand(dialect.sql(.divide(.real), [dividend, operands[1]]), .real, at: offset)
        default:
            return Operand(dialect.sql(.modulo(kind), operands), type, at: offset)
        }
    }

    func number(_ operand: Operand, of name: String, at offset: Int) throws(QueryError) -> Operand {
        guard operand.type.isNumber || operand.type == .null else {
            throw clash(at: offset, "`\(name)` needs numbers, but it is given \(operand.description).")
        }
        return operand
    }
}

extension SQLArithmetic {
    fileprivate init?(_ binary: BinaryOperator) {
        switch binary {
        case .add: self = .add
        case .subtract: self = .subtract
        case .multiply: self = .multiply
        default: return nil
        }
    }
}
