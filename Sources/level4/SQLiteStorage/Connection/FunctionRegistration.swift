import CSQLite
import OData
import Scalars
import TableSQL
import Tables
import TransactSQL

/// Registers the functions and collations that queries use on a connection.
enum FunctionRegistration {
    /// - Parameter limit: stops functions that take long.
    /// - Returns: SQLite's result code.
    static func register(on connection: OpaquePointer, stoppedBy limit: TimeLimit) -> Int32 {
        for (name, count, textCount, answer) in scalars + decimals + calculations {
            let function = RegisteredFunction(textCount: textCount, limit: limit, answer)
            let code = unsafe sqlite3_create_function_v2(
                connection, name, Int32(count), SQLITE_UTF8 | SQLITE_DETERMINISTIC,
                Unmanaged.passRetained(function).toOpaque(),
                { context, _, values in unsafe FunctionCall.answer(context, values) }, nil, nil,
                { if let function = unsafe $0 { unsafe Unmanaged<RegisteredFunction>.fromOpaque(function).release() } })
            guard code == SQLITE_OK else { return code }
        }
        func collate(_ name: String, _ compare: Collation) -> Int32 {
            unsafe sqlite3_create_collation_v2(connection, name, SQLITE_UTF8, nil, compare, nil)
        }
        let codes = unsafe [
            collate(SQLiteFunctions.decimalCollation) { _, leftCount, left, rightCount, right in
                unsafe Comparison.result(left, leftCount, right, rightCount) { DecimalText.compare($0, $1) }
            },
            collate(SQLiteFunctions.orderCollation) { _, leftCount, left, rightCount, right in
                unsafe Comparison.result(left, leftCount, right, rightCount) { TextOrder.compare($0, $1) }
            },
            collate(SQLiteFunctions.collation) { _, leftCount, left, rightCount, right in
                unsafe Comparison.result(left, leftCount, right, rightCount) { TextFold.compare($0, $1) }
            },
        ]
        return codes.first { $0 != SQLITE_OK } ?? SQLITE_OK
    }

    private typealias Collation =
        @convention(c) (UnsafeMutableRawPointer?, Int32, UnsafeRawPointer?, Int32, UnsafeRawPointer?) -> Int32

    /// A function: the number of its arguments, the number of leading ones that are texts and must not be null, and its
    /// implementation.
    typealias Definition = (name: String, argumentCount: Int, textCount: Int, answer: (FunctionCall) -> Void)

    private static var scalars: [Definition] {
        SQLiteFunctions.Scalar.allCases.map { function -> Definition in
            let textCount =
                switch function {
                case .replace, .replaceShort: 3
                case .matches, .moved, .position: 2
                case .lower, .upper, .date, .length, .numberText, .isUTF8: 1
                case .short, .within: 0
                }
            return (function.rawValue, function.argumentCount, textCount, { answer(function, $0) })
        }
    }

    private static var decimals: [Definition] {
        let real: Definition = (
            SQLiteFunctions.decimalReal, 1, 1,
            { call in
                let text = call.texts[0]
                if let number = DecimalText.real(text.span) { call.answer(number) }
            }
        )
        return [real]
            + DecimalCalculation.allCases.map { calculation -> Definition in
                let count = calculation.operandCount
                return (
                    SQLiteFunctions.name(of: calculation), count, count,
                    { call in
                        let numbers = call.texts.compactMap {
                            DecimalNumber($0.span, within: SQLiteFunctions.longestDecimal)
                        }
                        if let text = calculation(numbers) { call.answer(text) }
                    }
                )
            }
    }

    private static func answer(_ function: SQLiteFunctions.Scalar, _ call: FunctionCall) {
        let text = call.texts.first ?? []
        switch function {
        case .lower: call.answer(TextFold.lowered(text.span))
        case .upper: call.answer(TextFold.uppered(text.span))
        case .date: if let instant = Instant.parse(text.span) { call.answer(instant.wireText) }
        case .length: call.answer(text.count { $0 & 0xC0 != 0x80 })
        case .isUTF8: call.answer((try? UTF8Span(validating: text.span)) == nil ? 0 : 1)
        case .matches:
            guard let matcher = call.matcher(of: 1) else { return }
            let whole = String(decoding: text, as: UTF8.self)
            guard let isMatch = matcher.matches(whole, goesOn: { !call.isOver }) else { return call.giveUp() }
            call.answer(isMatch ? 1 : 0)
        case .moved:
            guard let date = Instant.parse(text.span) else { return }
            let count = call.integer(1)
            let (sum, isTooMuch) = count.multipliedReportingOverflow(by: call.integer(2))
            let isByMonths = call.type(of: 2) == SQLITE_NULL
            let moved = isByMonths ? date.moved(byMonths: count) : isTooMuch ? nil : date.moved(byMilliseconds: sum)
            guard call.type(of: 1) == SQLITE_INTEGER, let moved else { return call.fail() }
            call.answer(moved.wireText)
        case .numberText: call.answer(call.number(0).shortestText)
        case .position: call.answer(position(of: call.texts[1], in: text))
        case .replace: call.replace(within: .max)
        case .replaceShort: call.replace(within: Int(call.integer(3)))
        case .short: if call.byteCount(0) > call.integer(1) { call.refuseSize() } else { call.answerFirst() }
        case .within: if call.integer(0) > call.integer(1) { call.refuseSize() } else { call.answer(1) }
        }
    }
}

/// Who writes on a connection, for the triggers of tables. They ask a function that every program has: on other
/// connections it is SQLite's own.
final class TableWriter {
    /// Whether it is the server itself, and not a script.
    var isServer = true

    /// - Returns: SQLite's result code.
    func register(on connection: OpaquePointer) -> Int32 {
        unsafe sqlite3_create_function_v2(
            connection, SQLiteTriggers.writer, 0, SQLITE_UTF8 | SQLITE_INNOCUOUS,
            Unmanaged.passRetained(self).toOpaque(),
            { context, _, _ in
                guard let data = unsafe sqlite3_user_data(context) else { return }
                if unsafe Unmanaged<TableWriter>.fromOpaque(data).takeUnretainedValue().isServer {
                    unsafe sqlite3_result_int(context, 0)
                } else {
                    unsafe sqlite3_result_text(context, sqlite3_sourceid(), -1, nil)
                }
            }, nil, nil,
            { if let writer = unsafe $0 { unsafe Unmanaged<TableWriter>.fromOpaque(writer).release() } })
    }
}

/// Returns the position of a text in another, in code points from 1; 0 if it doesn't occur.
private func position(of needle: [UInt8], in text: [UInt8]) -> Int {
    let offset = unsafe text.withUnsafeBytes { text -> Int? in
        unsafe needle.withUnsafeBytes { needle in
            guard let start = text.baseAddress, let wanted = needle.baseAddress,
                let found = unsafe memmem(start, text.count, wanted, needle.count)
            else { return nil }
            return unsafe UnsafeRawPointer(found) - start
        }
    }
    guard let offset else { return needle.isEmpty ? 1 : 0 }
    return text[..<offset].count { $0 & 0xC0 != 0x80 } + 1
}

/// Runs a collation for SQLite.
private enum Comparison {
    static func result(
        _ left: UnsafeRawPointer?, _ leftCount: Int32, _ right: UnsafeRawPointer?, _ rightCount: Int32,
        by compare: (Span<UInt8>, Span<UInt8>) -> Int
    ) -> Int32 {
        let left = unsafe UnsafeRawBufferPointer(start: left, count: Int(leftCount))
        let right = unsafe UnsafeRawBufferPointer(start: right, count: Int(rightCount))
        return unsafe left.withMemoryRebound(to: UInt8.self) { left in
            unsafe right.withMemoryRebound(to: UInt8.self) { right in
                unsafe Int32(compare(left.span, right.span).signum())
            }
        }
    }
}
