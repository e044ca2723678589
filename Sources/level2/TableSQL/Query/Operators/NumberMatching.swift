import OData
import Scalars
import Tables

extension ExpressionResolver {
    /// Converts two numbers to one type for a calculation: whole numbers stay whole among themselves and become
    /// decimals beside a decimal; beside a double everything is a double. A constant takes the type of a non-constant.
    func alike(_ left: Operand, _ right: Operand) -> (Operand, Operand, NumberKind) {
        switch (left.type, right.type) {
        case (.integer, .integer): return (left, right, .whole)
        case (.decimal, .decimal), (.decimal, .null), (.null, .decimal): return (left, right, .decimal)
        case (.decimal, .integer): return (left, decimal(ofWhole: right), .decimal)
        case (.integer, .decimal): return (decimal(ofWhole: left), right, .decimal)
        case (.decimal, .real):
            if left.literal == nil, let right = decimal(ofConstant: right) { return (left, right, .decimal) }
            return (real(ofDecimal: left), right, .real)
        case (.real, .decimal):
            if right.literal == nil, let left = decimal(ofConstant: left) { return (left, right, .decimal) }
            return (left, real(ofDecimal: right), .real)
        default: return (left, right, .real)
        }
    }

    /// Makes two numbers comparable, exactly if one is a decimal and the other is not a double. Beside a double a whole
    /// number becomes one, but a non-constant compares exactly with a constant. Beside a whole number a decimal
    /// constant becomes the plainest equivalent number, so that an index can be used.
    func comparable(_ left: Operand, _ right: Operand) -> (Operand, Operand) {
        switch (left.type, right.type) {
        case (.integer, .decimal), (.integer, .real):
            if left.literal == nil, let plain = plain(right, beside: left) { return (left, plain) }
            if right.type == .real, left.literal != nil || right.literal == nil { return (real(ofWhole: left), right) }
        case (.decimal, .integer), (.real, .integer):
            if right.literal == nil, let plain = plain(left, beside: right) { return (plain, right) }
            if left.type == .real, right.literal != nil || left.literal == nil { return (left, real(ofWhole: right)) }
        default: break
        }
        guard left.type == .decimal || right.type == .decimal else { return (left, right) }
        let (left, right, _) = alike(left, right)
        return (left, right)
    }

    /// Converts a non-null constant in a list to the value's type of number: PostgreSQL needs one type in a list.
    /// - Returns: nil if no value of the type equals it.
    func listed(_ constant: Operand, for value: Operand) -> Operand? {
        switch (value.type, constant.literal) {
        case (.integer, .decimal(let number)): number.whole.map { Operand(.integer($0), at: constant.offset) }
        case (.integer, .real(let number)):
            Int64(exactly: number).map { Operand(.integer($0), at: constant.offset) }
        case (.real, .integer): real(ofWhole: constant)
        case (.decimal, .real): decimal(ofConstant: constant)
        default: alike(value, constant).1
        }
    }

    /// Returns a constant that compares with every whole number like the given one, of a type that an index on these
    /// supports if possible; nil if only its own type will do.
    private func plain(_ constant: Operand, beside other: Operand) -> Operand? {
        if case .real(let number) = constant.literal {
            if let whole = Int64(exactly: number) { return Operand(.integer(whole), at: constant.offset) }
            // The first double to which no column's number rounds, instead of the last one to which one does.
            return number == 0x1p63 && other.field != nil ? Operand(.real(0x1p64), at: constant.offset) : nil
        }
        guard case .decimal(let number) = constant.literal else { return nil }
        if let whole = number.whole { return Operand(.integer(whole), at: constant.offset) }
        // With so few digits it can't be rounded to a whole number, and beyond 64 bits the sign alone decides.
        guard number.digitCount <= 15 || number.double.magnitude >= 0x1p64 else { return nil }
        return Operand(.real(number.double), at: constant.offset)
    }

    private func real(ofWhole operand: Operand) -> Operand {
        if case .integer(let whole) = operand.literal {
            // Without rounding, the database's conversion is the same.
            return Double(exactly: whole) == nil ? Operand(.real(Double(whole)), at: operand.offset) : operand
        }
        return Operand("CAST(\(operand.sql(within: .primary)) AS DOUBLE PRECISION)", .real, at: operand.offset)
    }

    private func decimal(ofWhole operand: Operand) -> Operand {
        if case .integer(let whole) = operand.literal {
            return Operand(.decimal(DecimalNumber(whole)), at: operand.offset)
        }
        return Operand(dialect.decimal(ofWhole: operand.sql(within: .primary)), .decimal, at: operand.offset)
    }

    /// - Returns: nil if the operand isn't a constant, or not a decimal's value.
    private func decimal(ofConstant operand: Operand) -> Operand? {
        guard case .real(let real) = operand.literal, let number = DecimalNumber(real),
            !number.isTooLong
        else { return nil }
        return Operand(.decimal(number), at: operand.offset)
    }

    private func real(ofDecimal operand: Operand) -> Operand {
        if case .decimal(let number) = operand.literal {
            return Operand(.real(number.double), at: operand.offset)
        }
        return Operand(dialect.real(ofDecimal: operand.sql(within: .primary)), .real, at: operand.offset)
    }
}

extension Operand {
    /// The type of number for calculations; null counts as a double.
    var numberKind: NumberKind {
        switch type {
        case .integer: .whole
        case .decimal: .decimal
        default: .real
        }
    }
}

extension ValueType {
    init(_ kind: NumberKind) {
        switch kind {
        case .whole: self = .integer
        case .real: self = .real
        case .decimal: self = .decimal
        }
    }
}
