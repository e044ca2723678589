import CSQLite
import OData
import TableSQL

/// A function as registered on a connection.
final class RegisteredFunction {
    fileprivate let textCount: Int
    fileprivate let limit: TimeLimit
    fileprivate let answer: (FunctionCall) -> Void

    init(textCount: Int, limit: TimeLimit, _ answer: @escaping (FunctionCall) -> Void) {
        self.textCount = textCount
        self.limit = limit
        self.answer = answer
    }
}

/// One call of a function. Its result is null unless one is set.
@safe struct FunctionCall {
    private let context: OpaquePointer
    private let values: UnsafeMutablePointer<OpaquePointer?>
    private let limit: TimeLimit
    /// The leading arguments that are texts.
    let texts: [[UInt8]]

    /// Runs a `RegisteredFunction`, whose result is null if one of its text arguments is.
    static func answer(_ context: OpaquePointer?, _ values: UnsafeMutablePointer<OpaquePointer?>?) {
        guard let context = unsafe context, let values = unsafe values, let data = unsafe sqlite3_user_data(context)
        else { return }
        let function = unsafe Unmanaged<RegisteredFunction>.fromOpaque(data).takeUnretainedValue()
        if let call = unsafe FunctionCall(context, values, of: function) { function.answer(call) }
    }

    private init?(
        _ context: OpaquePointer, _ values: UnsafeMutablePointer<OpaquePointer?>, of function: RegisteredFunction
    ) {
        unsafe self.context = unsafe context
        unsafe self.values = unsafe values
        limit = function.limit
        var texts: [[UInt8]] = []
        var bytes = 0
        for index in 0..<function.textCount {
            let value = unsafe values[index]
            guard unsafe sqlite3_value_type(value) != SQLITE_NULL else { return nil }
            let start = unsafe sqlite3_value_text(value)
            let length = Int(unsafe sqlite3_value_bytes(value))
            texts.append(unsafe Array(UnsafeBufferPointer(start: start, count: start == nil ? 0 : length)))
            bytes += length
        }
        self.texts = texts
        // Between two progress checks, SQLite may call a hundred functions, each on a long text.
        if bytes >= Self.longText, isOver {
            giveUp()
            return nil
        }
    }

    private static let longText = 64 << 10

    func type(of index: Int) -> Int32 { unsafe sqlite3_value_type(values[index]) }
    func integer(_ index: Int) -> Int64 { unsafe sqlite3_value_int64(values[index]) }
    func number(_ index: Int) -> Double { unsafe sqlite3_value_double(values[index]) }
    func byteCount(_ index: Int) -> Int32 { unsafe sqlite3_value_bytes(values[index]) }

    /// Whether the statement has reached its limit.
    var isOver: Bool { limit.isOver }

    /// Ends the statement as if it had been stopped between two functions.
    func giveUp() { unsafe sqlite3_result_error_code(context, SQLITE_INTERRUPT) }

    /// Ends the statement, because the function has no result.
    func fail() { unsafe sqlite3_result_error(context, SQLiteFunctions.noResult, -1) }

    /// Ends the statement, because the result is too large.
    func refuseSize() { unsafe sqlite3_result_error_toobig(context) }

    /// Sets the result to the first argument, with the third one in place of each occurrence of the second.
    /// - Parameter most: the maximum size of the result in bytes.
    func replace(within most: Int) {
        let (text, pattern, new) = (texts[0], texts[1], texts[2])
        do throws(TextFold.Obstacle) {
            let replaced = try TextFold.replacing(pattern.span, in: text.span, with: new.span, within: most) { !isOver }
            answer(replaced)
        } catch {
            switch error {
            case .stopped: giveUp()
            case .tooLong: refuseSize()
            }
        }
    }

    /// Returns the matcher for a pattern argument, which SQLite keeps for the following rows if it is a constant.
    func matcher(of index: Int) -> TextPatternMatcher? {
        if let kept = unsafe sqlite3_get_auxdata(context, Int32(index)) {
            return unsafe Unmanaged<TextPatternMatcher>.fromOpaque(kept).takeUnretainedValue()
        }
        guard let pattern = try? TextPattern(String(decoding: texts[index], as: UTF8.self)) else { return nil }
        let matcher = TextPatternMatcher(pattern)
        unsafe sqlite3_set_auxdata(context, Int32(index), Unmanaged.passRetained(matcher).toOpaque()) { kept in
            if let kept = unsafe kept { unsafe Unmanaged<TextPatternMatcher>.fromOpaque(kept).release() }
        }
        return matcher
    }

    func answerFirst() { unsafe sqlite3_result_value(context, values[0]) }
    func answer(_ number: Double) { unsafe sqlite3_result_double(context, number) }
    func answer(_ number: Int64) { unsafe sqlite3_result_int64(context, number) }
    func answer(_ number: Int) { answer(Int64(number)) }
    func answer(_ text: String) { answer(Array(text.utf8)) }

    func answer(_ text: [UInt8]) {
        // Even the empty text needs an address: without one, the result would be null.
        let text = text + [0]
        unsafe text.withUnsafeBytes { bytes in
            unsafe sqlite3_result_text64(
                context, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), UInt64(bytes.count - 1),
                zumod_sqlite_transient(), UInt8(SQLITE_UTF8))
        }
    }
}
