import OData
import Scalars
import Tables

extension ReferenceEvaluator {
    typealias Operand = (expression: Expression, datum: ReferenceDatum)

    /// True, false or unknown.
    func comparison(_ binary: BinaryOperator, _ left: Operand, _ right: Operand) -> Bool? {
        guard left.datum != .null, right.datum != .null else {
            guard nullComparison == .value else { return nil }
            let areBothNull = left.datum == .null && right.datum == .null
            return binary == .equal && areBothNull || binary == .notEqual && !areBothNull
        }
        let (first, second) = adapted(left, right)
        var view = ReferenceText.View.exact
        if !isExact(left.expression, right.expression) {
            let hasID = [left, right].contains { (try? kind(of: $0.expression)) == .id }
            view = hasID || binary == .equal || binary == .notEqual ? .letters : .order
        }
        guard let order = compared(first, second, as: view) else {
            // Such as a text that can't be a version: it differs from every version.
            return binary == .notEqual
        }
        return switch binary {
        case .equal: order == .same
        case .notEqual: order != .same
        case .greater: order == .descending
        case .greaterOrEqual: order != .ascending
        case .less: order == .ascending
        case .lessOrEqual: order != .descending
        default: nil
        }
    }

    /// How two values of one kind stand to each other; nil where they are of different kinds, or one is no number.
    func compared(
        _ left: ReferenceDatum, _ right: ReferenceDatum, as view: ReferenceText.View
    ) -> ReferenceOrder? {
        switch (left, right) {
        case (.boolean(let left), .boolean(let right)): ReferenceOrder(left ? 1 : 0, right ? 1 : 0)
        case (.integer(let left), .integer(let right)): ReferenceOrder(left, right)
        case (.real(let number), _) where number.isNaN, (_, .real(let number)) where number.isNaN: nil
        case (.real(let left), .real(let right)): ReferenceOrder(left, right)
        case (.integer(let left), .real(let right)): ReferenceOrder(left, right)
        case (.real(let left), .integer(let right)): ReferenceOrder(right, left).reversed
        case (.decimal(let left), .decimal(let right)): ReferenceOrder(left, right)
        case (.integer(let left), .decimal(let right)): ReferenceOrder(ReferenceDecimal(left), right)
        case (.decimal(let left), .integer(let right)): ReferenceOrder(left, ReferenceDecimal(right))
        case (.real(let left), .decimal(let right)): ReferenceOrder(left, right.real)
        case (.decimal(let left), .real(let right)): ReferenceOrder(left.real, right)
        case (.date(let left), .date(let right)): ReferenceOrder(left, right)
        case (.day(let left), .day(let right)), (.time(let left), .time(let right)): ReferenceOrder(left, right)
        case (.version(let left), .version(let right)): ReferenceOrder(left, right)
        case (.text(let left), .text(let right)):
            ReferenceOrder(ReferenceText.seen(left, as: view), ReferenceText.seen(right, as: view))
        default: nil
        }
    }

    /// Brings a literal to the kind of what it is compared with.
    private func adapted(_ left: Operand, _ right: Operand) -> (ReferenceDatum, ReferenceDatum) {
        (adapted(left, to: right), adapted(right, to: left))
    }

    private func adapted(_ operand: Operand, to other: Operand) -> ReferenceDatum {
        if let converted = converted(operand.expression, for: other.expression) { return converted }
        return switch (operand.datum, other.datum) {
        case (.text(let text), .date) where operand.expression.isConstant:
            Instant(text).map(ReferenceDatum.date) ?? operand.datum
        case (.date(let instant), .text) where !other.expression.isConstant:
            .text(instant.wireText)
        case (.text(let text), .day) where operand.expression.isConstant:
            Instant(day: text).map { .day($0.dayText) } ?? operand.datum
        case (.text(let text), .time) where operand.expression.isConstant:
            TimeOfDay(text).map { .time($0.wireText) } ?? operand.datum
        case (.day(let day), .date) where operand.expression.isConstant:
            Instant(day: day).map(ReferenceDatum.date) ?? operand.datum
        case (.date(let instant), .day) where operand.expression.isConstant && !other.expression.isConstant:
            .day(instant.dayText)
        case (.day(let text), .text), (.time(let text), .text):
            other.expression.isConstant ? operand.datum : .text(text)
        case (.real(let number), .decimal)
        where operand.expression.isConstant && !other.expression.isConstant && DecimalNumber.isShort(number):
            operand.datum.decimal.map(ReferenceDatum.decimal) ?? operand.datum
        case (.text(let text), .integer):
            Int64(text).map(ReferenceDatum.integer) ?? operand.datum
        case (.integer(let whole), .real)
        where operand.expression.isConstant || !other.expression.isConstant:
            .real(Double(whole))
        case (.boolean(let truth), .integer):
            .integer(truth ? 1 : 0)
        case (.text(let text), .version):
            Version(wireText: text).map { .version($0.counter) } ?? operand.datum
        case (.binary(let bytes), .version) where bytes.count == 8 && bytes[0] < 0x80:
            .version(bytes.reduce(0) { $0 << 8 | Int64($1) })
        default:
            operand.datum
        }
    }
}

extension DecimalNumber {
    /// Whether the double's shortest digits are few enough for a decimal.
    static func isShort(_ number: Double) -> Bool {
        DecimalNumber(number).map { !$0.isTooLong } ?? false
    }
}
