import CSQLite
import OData
import Scalars
import TableSQL
import Tables

/// Gives a connection the functions and the collations that queries use.
enum FunctionRegistration {
    /// - Parameter limit: what stops functions that take long; it lives as long as the connection.
    /// - Returns: SQLite's result code.
    static func register(on connection: OpaquePointer, stoppedBy limit: TimeLimit) -> Int32 {
        for function in SQLiteFunctions.Scalar.allCases {
            let code = unsafe sqlite3_create_function_v2(
                connection, function.rawValue, Int32(function.argumentCount), SQLITE_UTF8 | SQLITE_DETERMINISTIC,
                Unmanaged.passUnretained(limit).toOpaque(), implementation(of: function), nil, nil, nil)
            guard code == SQLITE_OK else { return code }
        }
        var code = unsafe DecimalRegistration.register(on: connection)
        guard code == SQLITE_OK else { return code }
        code = unsafe CalculationRegistration.register(on: connection)
        guard code == SQLITE_OK else { return code }
        code = unsafe sqlite3_create_collation_v2(
            connection, SQLiteFunctions.orderCollation, SQLITE_UTF8, nil,
            { _, leftCount, left, rightCount, right in
                unsafe Comparison.result(left, leftCount, right, rightCount) { TextOrder.compare($0, $1) }
            }, nil)
        guard code == SQLITE_OK else { return code }
        return unsafe sqlite3_create_collation_v2(
            connection, SQLiteFunctions.collation, SQLITE_UTF8, nil,
            { _, leftCount, left, rightCount, right in
                unsafe Comparison.result(left, leftCount, right, rightCount) { TextFold.compare($0, $1) }
            }, nil)
    }

    private typealias Implementation =
        @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void

    private static func implementation(of function: SQLiteFunctions.Scalar) -> Implementation {
        switch function {
        case .lower:
            { context, _, values in
                guard let call = unsafe FunctionCall(context, values, count: 1) else { return }
                let text = call.arguments[0]
                call.answer(TextFold.lowered(text.span))
            }
        case .upper:
            { context, _, values in
                guard let call = unsafe FunctionCall(context, values, count: 1) else { return }
                let text = call.arguments[0]
                call.answer(TextFold.uppered(text.span))
            }
        case .date:
            { context, _, values in
                guard let call = unsafe FunctionCall(context, values, count: 1) else { return }
                let text = call.arguments[0]
                guard let instant = Instant.parse(text.span) else { return }
                call.answer(Array(instant.wireText.utf8))
            }
        case .length:
            { context, _, values in
                guard let call = unsafe FunctionCall(context, values, count: 1) else { return }
                call.answer(call.arguments[0].count { $0 & 0xC0 != 0x80 })
            }
        case .matches:
            { context, _, values in
                guard let call = unsafe FunctionCall(context, values, count: 2), let matcher = call.matcher(of: 1)
                else {
                    return
                }
                let text = String(decoding: call.arguments[0], as: UTF8.self)
                guard let isMatch = matcher.matches(text, goesOn: { !call.isOver }) else { return call.giveUp() }
                call.answer(isMatch)
            }
        case .moved:
            { context, _, values in
                guard let values = unsafe values, let call = unsafe FunctionCall(context, values, count: 2) else {
                    return
                }
                let text = call.arguments[0]
                guard let date = Instant.parse(text.span) else { return }
                let count = unsafe sqlite3_value_int64(values[1])
                let isWhole = unsafe sqlite3_value_type(values[1]) == SQLITE_INTEGER
                let isByMonths = unsafe sqlite3_value_type(values[2]) == SQLITE_NULL
                let (sum, isTooMuch) = count.multipliedReportingOverflow(by: unsafe sqlite3_value_int64(values[2]))
                let moved = isByMonths ? date.moved(byMonths: count) : isTooMuch ? nil : date.moved(byMilliseconds: sum)
                guard isWhole, let moved else { return call.fail() }
                call.answer(Array(moved.wireText.utf8))
            }
        case .numberText:
            { context, _, values in
                guard let values = unsafe values else { return }
                let number = unsafe sqlite3_value_double(values[0])
                guard let call = unsafe FunctionCall(context, values, count: 1) else { return }
                call.answer(Array(number.shortestText.utf8))
            }
        case .position:
            { context, _, values in
                guard let call = unsafe FunctionCall(context, values, count: 2) else { return }
                call.answer(position(of: call.arguments[1], in: call.arguments[0]))
            }
        case .replace:
            { context, _, values in
                guard let call = unsafe FunctionCall(context, values, count: 3) else { return }
                call.replace(within: .max)
            }
        case .replaceShort:
            { context, _, values in
                guard let call = unsafe FunctionCall(context, values, count: 3), let values = unsafe values else {
                    return
                }
                call.replace(within: Int(unsafe sqlite3_value_int64(values[3])))
            }
        case .short:
            { context, _, values in
                guard let context = unsafe context, let values = unsafe values else { return }
                if unsafe Int64(sqlite3_value_bytes(values[0])) > sqlite3_value_int64(values[1]) {
                    unsafe sqlite3_result_error_toobig(context)
                } else {
                    unsafe sqlite3_result_value(context, values[0])
                }
            }
        case .within:
            { context, _, values in
                guard let context = unsafe context, let values = unsafe values else { return }
                if unsafe sqlite3_value_int64(values[0]) > sqlite3_value_int64(values[1]) {
                    unsafe sqlite3_result_error_toobig(context)
                } else {
                    unsafe sqlite3_result_int(context, 1)
                }
            }
        }
    }
}

/// Where a text begins in another, by code points counted from 1; 0 where it doesn't.
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

/// What a collation answers to SQLite.
enum Comparison {
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

/// One call of a function over text. What isn't answered is null.
@safe struct FunctionCall {
    private let context: OpaquePointer
    let arguments: [[UInt8]]

    /// - Returns: nil where an argument is null, and so is the answer.
    init?(_ context: OpaquePointer?, _ values: UnsafeMutablePointer<OpaquePointer?>?, count: Int) {
        guard let context = unsafe context, let values = unsafe values else { return nil }
        unsafe self.context = unsafe context
        var arguments: [[UInt8]] = []
        var bytes = 0
        for index in 0..<count {
            let value = unsafe values[index]
            guard unsafe sqlite3_value_type(value) != SQLITE_NULL else { return nil }
            let start = unsafe sqlite3_value_text(value)
            let length = Int(unsafe sqlite3_value_bytes(value))
            arguments.append(unsafe Array(UnsafeBufferPointer(start: start, count: start == nil ? 0 : length)))
            bytes += length
        }
        self.arguments = arguments
        // Between two of its own questions SQLite may call a hundred functions, each over all of a long text.
        if bytes >= Self.longText, isOver {
            giveUp()
            return nil
        }
    }

    private static let longText = 64 << 10

    /// Whether the statement has reached its limit.
    var isOver: Bool {
        guard let limit = unsafe sqlite3_user_data(context) else { return false }
        return unsafe Unmanaged<TimeLimit>.fromOpaque(limit).takeUnretainedValue().isOver
    }

    /// Ends the statement as if it had been stopped between two functions.
    func giveUp() {
        unsafe sqlite3_result_error_code(context, SQLITE_INTERRUPT)
    }

    /// Ends the statement: there is no answer.
    func fail() {
        unsafe sqlite3_result_error(context, SQLiteFunctions.noResult, -1)
    }

    /// Answers the first argument with the third in the place of each second one.
    /// - Parameter most: the bytes that it may come to.
    func replace(within most: Int) {
        let (text, pattern, new) = (arguments[0], arguments[1], arguments[2])
        do throws(TextFold.Obstacle) {
            let replaced = try TextFold.replacing(pattern.span, in: text.span, with: new.span, within: most) { !isOver }
            answer(replaced)
        } catch {
            switch error {
            case .stopped: giveUp()
            case .tooLong: unsafe sqlite3_result_error_toobig(context)
            }
        }
    }

    /// The matcher of the pattern in an argument, which SQLite keeps for the rows to come where that is a constant.
    func matcher(of index: Int) -> TextPatternMatcher? {
        if let kept = unsafe sqlite3_get_auxdata(context, Int32(index)) {
            return unsafe Unmanaged<TextPatternMatcher>.fromOpaque(kept).takeUnretainedValue()
        }
        guard let pattern = try? TextPattern(String(decoding: arguments[index], as: UTF8.self)) else { return nil }
        let matcher = TextPatternMatcher(pattern)
        unsafe sqlite3_set_auxdata(context, Int32(index), Unmanaged.passRetained(matcher).toOpaque()) { kept in
            if let kept = unsafe kept { unsafe Unmanaged<TextPatternMatcher>.fromOpaque(kept).release() }
        }
        return matcher
    }

    func answer(_ number: Double) {
        unsafe sqlite3_result_double(context, number)
    }

    func answer(_ number: Int) {
        unsafe sqlite3_result_int64(context, sqlite3_int64(number))
    }

    func answer(_ flag: Bool) {
        unsafe sqlite3_result_int(context, flag ? 1 : 0)
    }

    func answer(_ text: [UInt8]) {
        // The empty text, too, needs an address: without one the answer would be null.
        let text = text + [0]
        unsafe text.withUnsafeBytes { bytes in
            unsafe sqlite3_result_text64(
                context, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), UInt64(bytes.count - 1),
                zumod_sqlite_transient(), UInt8(SQLITE_UTF8))
        }
    }
}
