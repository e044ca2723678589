import OData

extension ReferenceEvaluator {
    /// A result that nothing defines, such as a division by zero, is null.
    /// - Parameter kind: what is calculated with: whole numbers, decimals or doubles.
    func arithmetic(
        _ binary: BinaryOperator, _ left: ReferenceDatum, _ right: ReferenceDatum, as kind: ReferenceKind
    ) -> ReferenceDatum {
        if kind == .integer, case .integer(let left) = left, case .integer(let right) = right {
            return wholeArithmetic(binary, left, right)
        }
        if kind == .decimal {
            guard let left = left.decimal, let right = right.decimal else { return .null }
            return decimalArithmetic(binary, left, right).map(ReferenceDatum.decimal) ?? .null
        }
        guard let left = left.real, let right = right.real else { return .null }
        switch binary {
        case .add: return .real(left + right)
        case .subtract: return .real(left - right)
        case .multiply: return .real(left * right)
        case .divide: return right == 0 ? .null : .real(left / right)
        case .modulo: return right == 0 ? .null : .real(left.truncatingRemainder(dividingBy: right))
        default: return .null
        }
    }

    private func decimalArithmetic(
        _ binary: BinaryOperator, _ left: ReferenceDecimal, _ right: ReferenceDecimal
    ) -> ReferenceDecimal? {
        switch binary {
        case .add: left + right
        case .subtract: left + -right
        case .multiply: left * right
        case .divide: left.divided(by: right)
        default: left.remainder(right)
        }
    }

    /// Beyond 64 bits no store promises anything; the runs keep away from there.
    private func wholeArithmetic(_ binary: BinaryOperator, _ left: Int64, _ right: Int64) -> ReferenceDatum {
        let result: (partialValue: Int64, overflow: Bool)
        switch binary {
        case .add: result = left.addingReportingOverflow(right)
        case .subtract: result = left.subtractingReportingOverflow(right)
        case .multiply: result = left.multipliedReportingOverflow(by: right)
        case .divide: result = left.dividedReportingOverflow(by: right)
        default: result = left.remainderReportingOverflow(dividingBy: right)
        }
        return result.overflow ? .null : .integer(result.partialValue)
    }
}
