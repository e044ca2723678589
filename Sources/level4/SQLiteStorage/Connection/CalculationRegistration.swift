import CSQLite
import Foundation
import TableSQL
import TransactSQL

/// Gives a connection the calculations over doubles.
enum CalculationRegistration {
    /// - Returns: SQLite's result code.
    static func register(on connection: OpaquePointer) -> Int32 {
        for (index, calculation) in TransactCalculation.allCases.enumerated() {
            let code = unsafe sqlite3_create_function_v2(
                connection, SQLiteFunctions.name(of: calculation), Int32(calculation.argumentCount),
                SQLITE_UTF8 | SQLITE_DETERMINISTIC, UnsafeMutableRawPointer(bitPattern: index + 1),
                { context, count, values in unsafe CalculationRegistration.calculate(context, count, values) }, nil,
                nil,
                nil)
            guard code == SQLITE_OK else { return code }
        }
        return unsafe registerWhole(on: connection)
    }

    private static func registerWhole(on connection: OpaquePointer) -> Int32 {
        for function in SQLiteFunctions.Whole.allCases {
            let code = unsafe sqlite3_create_function_v2(
                connection, function.rawValue, 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC,
                UnsafeMutableRawPointer(bitPattern: function == .cut ? 1 : 0),
                { context, _, values in unsafe CalculationRegistration.whole(context, values) }, nil, nil, nil)
            guard code == SQLITE_OK else { return code }
        }
        return SQLITE_OK
    }

    private static func whole(_ context: OpaquePointer?, _ values: UnsafeMutablePointer<OpaquePointer?>?) {
        guard let value = unsafe values?[0] else { return }
        switch unsafe sqlite3_value_type(value) {
        case SQLITE_NULL: return
        case SQLITE_INTEGER: unsafe sqlite3_result_value(context, value)
        default:
            let cuts = unsafe sqlite3_user_data(context) != nil
            let number = unsafe sqlite3_value_double(value).rounded(.towardZero)
            guard cuts, let whole = Int64(exactly: number) else {
                return unsafe sqlite3_result_error(context, SQLiteFunctions.noResult, -1)
            }
            unsafe sqlite3_result_int64(context, whole)
        }
    }

    private static func calculate(
        _ context: OpaquePointer?, _ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>?
    ) {
        // Counted from 1: no address is 0.
        let index = Int(bitPattern: unsafe sqlite3_user_data(context)) - 1
        guard TransactCalculation.allCases.indices.contains(index), let values = unsafe values else { return }
        var numbers: [Double] = []
        for place in 0..<Int(count) {
            let value = unsafe values[place]
            guard unsafe sqlite3_value_type(value) != SQLITE_NULL else { return }
            numbers.append(unsafe sqlite3_value_double(value))
        }
        switch TransactCalculation.allCases[index].answer(numbers) {
        case .real(let number): unsafe sqlite3_result_double(context, number)
        case .whole(let number): unsafe sqlite3_result_int64(context, number)
        case nil: unsafe sqlite3_result_error(context, SQLiteFunctions.noResult, -1)
        }
    }
}

extension TransactCalculation {
    fileprivate enum Answer {
        case real(Double)
        case whole(Int64)
    }

    /// - Returns: nil where there is none, as PostgreSQL has it.
    fileprivate func answer(_ numbers: [Double]) -> Answer? {
        let made = number(of: numbers[0], numbers[numbers.count - 1])
        // Only a power may become too small to be told from 0.
        let isUnderflow = (self == .power || self == .wholePower) && made == 0 && numbers[0] != 0
        guard made.isFinite, !isUnderflow else { return nil }
        if self == .wholePower { return Int64(exactly: made.rounded(.towardZero)).map(Answer.whole) }
        return .real(made)
    }

    private func number(of first: Double, _ second: Double) -> Double {
        switch self {
        case .squareRoot: first.squareRoot()
        case .power, .wholePower: pow(first, second)
        case .exponential: first < Self.leastExponent ? 0 : exp(first)
        case .logarithm: log(first)
        case .commonLogarithm: log10(first)
        case .sine: sin(first)
        case .cosine: cos(first)
        case .tangent: tan(first)
        case .cotangent: 1 / tan(first)
        case .arcSine: asin(Self.held(first))
        case .arcCosine: acos(Self.held(first))
        case .arcTangent: atan(first)
        case .angle: atan2(first, second)
        case .sign: first > 0 ? 1 : first < 0 ? -1 : 0
        }
    }

    /// A sine or cosine that is beyond 1 by a rounding error only.
    private static func held(_ number: Double) -> Double {
        abs(number) <= 1 + roundingError ? min(max(number, -1), 1) : number
    }
}
