import OData

extension ReferenceEvaluator {
    /// A result that nothing defines, such as a division by zero, is null.
    /// - Parameter areWhole: whether both operands are whole numbers by their kind, not by their value.
    func arithmetic(
        _ binary: BinaryOperator, _ left: ReferenceDatum, _ right: ReferenceDatum, areWhole: Bool
    ) -> ReferenceDatum {
        if areWhole, case .integer(let left) = left, case .integer(let right) = right {
            return wholeArithmetic(binary, left, right)
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
