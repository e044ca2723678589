import OData
import Scalars
import Tables

extension ReferenceEvaluator {
    /// What a constant becomes beside a column of another kind, in v1 and v2; nil where it stays what it is.
    func converted(_ constant: Expression, for other: Expression) -> ReferenceDatum? {
        guard nullComparison == .unknown, case .column(let name, _) = unrounded(other), let field = field(named: name)
        else { return nil }
        let kind = kind(of: field)
        switch kind {
        case .text:
            guard case .own = field else { return nil }
            return numberText(constant).map(ReferenceDatum.text)
        case .boolean:
            return constant.literalText == "true"
                ? .boolean(true) : constant.literalText == "false" ? .boolean(false) : nil
        case .integer where field == .system(.id):
            return constant.literalText?.allSatisfy { $0 == " " } == true ? .integer(0) : nil
        case .integer, .real, .decimal:
            guard case .own = field, let text = constant.literalText, Self.isJSON(text),
                let decimal = DecimalNumber(text), !decimal.isTooLong
            else { return nil }
            if kind == .decimal { return .decimal(ReferenceDecimal(decimal)) }
            if kind == .integer { return decimal.whole.map(ReferenceDatum.integer) }
            guard let shown = DecimalNumber(decimal.double),
                ReferenceOrder(ReferenceDecimal(shown), ReferenceDecimal(decimal)) == .same
            else {
                return nil
            }
            return .real(decimal.double)
        default:
            return nil
        }
    }

    /// Whether it is a number that stands as it is, or a column of such: what `concat` takes beside text.
    func isPlainNumber(_ expression: Expression) -> Bool {
        guard nullComparison == .unknown, let kind = try? kind(of: expression), kind.isNumeric, kind != .null else {
            return false
        }
        switch unrounded(expression) {
        case .column, .literal: return true
        default: return false
        }
    }

    /// The digits of a constant number.
    private func numberText(_ constant: Expression) -> String? {
        guard case .literal(let literal, _) = unrounded(constant) else { return nil }
        return text(of: ReferenceDatum(literal))
    }

    /// The digits of a number; nil for what is none.
    func text(of number: ReferenceDatum) -> String? {
        switch number {
        case .integer(let whole): return "\(whole)"
        case .real(let real): return abs(real) < 4e18 && real.rounded() == real ? "\(Int64(real))" : "\(real)"
        case .decimal(let decimal): return decimal.text
        default: return nil
        }
    }

    /// Rounding leaves a whole number, constant or column, what it is.
    private func unrounded(_ expression: Expression) -> Expression {
        switch expression {
        case .call(.floor, let arguments, _), .call(.ceiling, let arguments, _), .call(.round, let arguments, _):
            (try? kind(of: arguments[0])) == .integer ? unrounded(arguments[0]) : expression
        default: expression
        }
    }

    private static func isJSON(_ text: String) -> Bool {
        text.wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/) != nil
    }
}
