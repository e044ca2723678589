public import OData
public import Scalars
public import Tables

/// A second opinion on what filters and orders mean: a walk over the expression, row by row, from the written rules.
///
/// Used by tests only. It knows no SQL, and shares nothing with the code that makes SQL.
public struct ReferenceEvaluator: Sendable {
    /// A row by the names of its columns. A version is the whole number of its counter.
    public typealias Row = [String: Value]

    let table: Table
    let textComparison: TextComparison
    let nullComparison: NullComparison
    /// What `now()` yields.
    let now: Instant
    /// Named in errors.
    var option: String
    private let fields: [String: Field]

    /// Makes an evaluator for the rows of a table.
    public init(
        _ table: Table, textComparison: TextComparison = .ignoringCase, nullComparison: NullComparison = .unknown,
        now: Instant = Instant(milliseconds: 0), option: String = "$filter"
    ) {
        self.table = table
        self.textComparison = textComparison
        self.nullComparison = nullComparison
        self.now = now
        self.option = option
        self.fields = Dictionary(table.fields.map { ($0.name.lowercased(), $0) }) { first, _ in first }
    }

    /// Refuses a filter with unknown columns or operands that don't go together.
    public func check(filter: Expression) throws(QueryError) {
        guard try kind(of: filter).isTruth else {
            throw QueryError(option, at: filter.offset, .typeClash("a filter has to be true or false"))
        }
    }

    /// Whether a row fulfils a filter that was checked; a filter whose truth is unknown leaves the row out.
    public func matches(_ filter: Expression, _ row: Row) -> Bool {
        datum(of: filter, in: row).truth == true
    }

    /// Whether the first of two rows comes first. Nulls precede everything, and the id decides last.
    public func precedes(_ left: Row, _ right: Row, by order: [OrderTerm]) -> Bool {
        for term in order + [OrderTerm(.column("id", at: 0))] {
            let found = sorted(
                settled(term.expression, in: left), settled(term.expression, in: right), of: term.expression)
            switch term.isDescending ? found.reversed : found {
            case .ascending: return true
            case .descending: return false
            case .same: continue
            }
        }
        return false
    }

    private func sorted(_ left: ReferenceDatum, _ right: ReferenceDatum, of term: Expression) -> ReferenceOrder {
        if left == .null { return right == .null ? .same : .ascending }
        return right == .null ? .descending : compared(left, right, as: isExact(term) ? .exact : .order) ?? .same
    }

    /// The same, but where null is a value, a condition that isn't true is false.
    private func settled(_ expression: Expression, in row: Row) -> ReferenceDatum {
        let datum = datum(of: expression, in: row)
        guard datum == .null, nullComparison == .value, (try? kind(of: expression)) == .boolean else { return datum }
        switch expression {
        case .column, .literal: return datum
        default: return .boolean(false)
        }
    }

    /// What an expression yields for a row.
    func datum(of expression: Expression, in row: Row) -> ReferenceDatum {
        switch expression {
        case .literal(let literal, _): return ReferenceDatum(literal)
        case .column(let name, _):
            guard let field = field(named: name) else { return .null }
            return ReferenceDatum(row[field.name] ?? .null, of: kind(of: field))
        case .not(let operand, _):
            let truth = datum(of: operand, in: row).truth
            return nullComparison == .value ? .boolean(truth != true) : ReferenceDatum(truth.map { !$0 })
        case .negate(let operand, _):
            switch datum(of: operand, in: row) {
            case .integer(let whole): return arithmetic(.subtract, .integer(0), .integer(whole), as: .integer)
            case .real(let number): return .real(-number)
            case .decimal(let number): return .decimal(-number)
            default: return .null
            }
        case .binary(let binary, let left, let right, _):
            return self.binary(binary, left, right, in: row)
        case .among(let value, let list, _):
            let truths = list.map { binary(.equal, value, $0, in: row).truth }
            if truths.contains(true) { return .boolean(true) }
            return truths.contains(nil) ? .null : .boolean(false)
        case .call(let function, let arguments, _):
            return call(function, arguments, in: row)
        }
    }

    private func binary(
        _ binary: BinaryOperator, _ left: Expression, _ right: Expression, in row: Row
    ) -> ReferenceDatum {
        let (first, second) = (settled(left, in: row), settled(right, in: row))
        switch binary {
        case .and:
            if first.truth == false || second.truth == false { return .boolean(false) }
            return ReferenceDatum(first.truth == true && second.truth == true ? true : nil)
        case .or:
            if first.truth == true || second.truth == true { return .boolean(true) }
            return ReferenceDatum(first.truth == false && second.truth == false ? false : nil)
        case .equal where isNull(left) || isNull(right):
            return .boolean(first == .null && second == .null)
        case .notEqual where isNull(left) || isNull(right):
            return .boolean(first != .null || second != .null)
        case .equal, .notEqual, .greater, .greaterOrEqual, .less, .lessOrEqual:
            return ReferenceDatum(comparison(binary, (left, first), (right, second)))
        case .divideBy:
            return arithmetic(.divide, first, second, as: calculation(left, right) == .decimal ? .decimal : .real)
        case .add, .subtract, .multiply, .divide, .modulo:
            return arithmetic(binary, first, second, as: calculation(left, right))
        }
    }

    /// Names match in any case.
    func field(named name: String) -> Field? {
        fields[name.lowercased()]
    }

    /// Whether it is the constant null, with or without a sign.
    private func isNull(_ expression: Expression) -> Bool {
        (try? kind(of: expression)) == .null
    }

    /// What two numbers are calculated as. Beside a decimal a constant real is a decimal, and the other way round.
    func calculation(_ left: Expression, _ right: Expression) -> ReferenceKind {
        let kinds = [try? kind(of: left), try? kind(of: right)]
        guard kinds.contains(.decimal) else { return kinds == [.integer, .integer] ? .integer : .real }
        for (real, decimal) in [(left, right), (right, left)] where (try? kind(of: real)) == .real {
            guard case .literal(.real(let number), _) = real, !decimal.isConstant, DecimalNumber.isShort(number) else {
                return .real
            }
        }
        return .decimal
    }

    /// Ids are identifiers: nothing but the very same characters is the same id. A GUID is the same in either case.
    func isExact(_ expressions: Expression...) -> Bool {
        guard expressions.contains(where: { (try? kind(of: $0)) == .id }) else { return textComparison == .ordinal }
        return !expressions.contains(where: \.isGUID)
    }
}
