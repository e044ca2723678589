import CSQLite
import Scalars
import TableSQL

/// Gives a connection the functions and the collation of decimals.
enum DecimalRegistration {
    /// - Returns: SQLite's result code.
    static func register(on connection: OpaquePointer) -> Int32 {
        let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC
        for (index, calculation) in DecimalCalculation.allCases.enumerated() {
            let code = unsafe sqlite3_create_function_v2(
                connection, SQLiteFunctions.name(of: calculation), Int32(calculation.operandCount), flags,
                mark(index), { context, count, values in unsafe DecimalRegistration.calculate(context, count, values) },
                nil, nil, nil)
            guard code == SQLITE_OK else { return code }
        }
        let code = unsafe sqlite3_create_function_v2(
            connection, SQLiteFunctions.decimalReal, 1, flags, nil,
            { context, _, values in
                guard let call = unsafe FunctionCall(context, values, count: 1) else { return }
                let text = call.arguments[0]
                if let number = DecimalText.real(text.span) { call.answer(number) }
            }, nil, nil, nil)
        guard code == SQLITE_OK else { return code }
        return unsafe sqlite3_create_collation_v2(
            connection, SQLiteFunctions.decimalCollation, SQLITE_UTF8, nil,
            { _, leftCount, left, rightCount, right in
                unsafe Comparison.result(left, leftCount, right, rightCount) { DecimalText.compare($0, $1) }
            }, nil)
    }

    /// A number instead of the address that SQLite passes to a function, counted from 1: no address is 0.
    private static func mark(_ index: Int) -> UnsafeMutableRawPointer? {
        unsafe UnsafeMutableRawPointer(bitPattern: index + 1)
    }

    private static func calculate(
        _ context: OpaquePointer?, _ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>?
    ) {
        let index = Int(bitPattern: unsafe sqlite3_user_data(context)) - 1
        guard DecimalCalculation.allCases.indices.contains(index),
            let call = unsafe FunctionCall(context, values, count: Int(count))
        else { return }
        let numbers = call.arguments.compactMap {
            DecimalNumber($0.span, within: SQLiteFunctions.longestDecimal)
        }
        if let text = DecimalCalculation.allCases[index](numbers) { call.answer(Array(text.utf8)) }
    }
}
