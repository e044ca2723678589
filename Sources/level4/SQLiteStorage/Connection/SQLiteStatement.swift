import ByteText
import CSQLite
import Scalars
import StoreMetrics
import TableSQL
import Tables

/// A prepared statement, used only by the thread that has its connection.
@safe final class SQLiteStatement {
    private let handle: OpaquePointer
    /// The kind of statement, for metrics.
    let kind: StatementKind
    /// Whether it may run on event loops.
    var brevity = InlineReadBackoff()

    /// How often SQLite had prepared it again when the schema was last compared; nil before that.
    private var comparedMakings: Int32?

    init(_ handle: OpaquePointer) {
        unsafe self.handle = unsafe handle
        kind = unsafe StatementKind(String(cString: sqlite3_sql(handle)))
    }

    /// The SQL text.
    var text: String { unsafe String(cString: sqlite3_sql(handle)) }

    deinit {
        unsafe sqlite3_finalize(handle)
    }

    /// The type of a cell, whatever its column was declared as.
    enum CellKind {
        case null, integer, number, text, blob

        fileprivate init(_ code: Int32) {
            self =
                switch code {
                case SQLITE_INTEGER: .integer
                case SQLITE_FLOAT: .number
                case SQLITE_TEXT: .text
                case SQLITE_BLOB: .blob
                default: .null
                }
        }
    }

    func bind(_ values: [Value]) throws(TableError) {
        for (index, value) in values.enumerated() {
            let position = Int32(index + 1)
            let code =
                switch value {
                case .null: unsafe sqlite3_bind_null(handle, position)
                case .boolean(let flag): unsafe sqlite3_bind_int(handle, position, flag ? 1 : 0)
                case .integer(let whole): unsafe sqlite3_bind_int64(handle, position, whole)
                case .number(let number): unsafe sqlite3_bind_double(handle, position, number)
                case .decimal(let decimal): bind(decimal.text, at: position)
                case .text(let text): bind(text, at: position)
                case .date(let instant): bind(instant.wireText, at: position)
                }
            guard code == SQLITE_OK else { throw failure() }
        }
    }

    /// Binds a text with its length, as it may contain NUL characters.
    private func bind(_ text: String, at position: Int32) -> Int32 {
        var text = text
        return text.withUTF8 { bytes in
            // Without an address, null would be bound instead of the empty text.
            guard let start = bytes.baseAddress else {
                return unsafe sqlite3_bind_text(handle, position, "", 0, zumod_sqlite_transient())
            }
            return unsafe start.withMemoryRebound(to: CChar.self, capacity: bytes.count) { characters in
                unsafe sqlite3_bind_text64(
                    handle, position, characters, UInt64(bytes.count), zumod_sqlite_transient(), UInt8(SQLITE_UTF8))
            }
        }
    }

    /// - Returns: whether there is a row to read.
    func step() throws(TableError) -> Bool {
        switch unsafe sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw failure()
        }
    }

    /// Whether it runs with a schema that hasn't been compared with its table yet: SQLite prepares it again at the
    /// first step after a change.
    var hasNewSchema: Bool { comparedMakings != makings }

    /// Records that its table matches the schema.
    func keepsSchema() { comparedMakings = makings }

    private var makings: Int32 { unsafe sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_REPREPARE, 0) }

    /// Ends the run, so that the statement holds no lock and can be bound again.
    func reset() {
        unsafe sqlite3_reset(handle)
        unsafe sqlite3_clear_bindings(handle)
    }

    var columnCount: Int32 { unsafe sqlite3_column_count(handle) }

    func kind(at column: Int32) -> CellKind {
        unsafe CellKind(sqlite3_column_type(handle, column))
    }

    func integer(at column: Int32) -> Int64 {
        unsafe sqlite3_column_int64(handle, column)
    }

    func number(at column: Int32) -> Double {
        unsafe sqlite3_column_double(handle, column)
    }

    /// Lends the bytes of a text or blob cell, which are valid only during the call.
    func withBytes<Result>(at column: Int32, _ body: (Span<UInt8>) -> Result) -> Result {
        let start = unsafe sqlite3_column_blob(handle, column)
        let count = Int(unsafe sqlite3_column_bytes(handle, column))
        guard let start = unsafe start, count > 0 else { return body([UInt8]().span) }
        let bytes = unsafe UnsafeRawBufferPointer(start: start, count: count)
        return unsafe bytes.withMemoryRebound(to: UInt8.self) { unsafe body($0.span) }
    }

    /// A cell of the statement's current row, which is looked up only once.
    @safe struct Cell {
        private let value: OpaquePointer?

        fileprivate init(_ value: OpaquePointer?) {
            unsafe self.value = unsafe value
        }

        var kind: CellKind { unsafe CellKind(sqlite3_value_type(value)) }
        var integer: Int64 { unsafe sqlite3_value_int64(value) }
        var number: Double { unsafe sqlite3_value_double(value) }
        /// The bytes of a text or blob, valid until the statement's next step.
        @unsafe var bytes: UnsafeBufferPointer<UInt8> {
            let start = unsafe sqlite3_value_blob(value)
            let count = Int(unsafe sqlite3_value_bytes(value))
            return unsafe UnsafeBufferPointer(
                start: start?.assumingMemoryBound(to: UInt8.self), count: start == nil ? 0 : count)
        }
    }

    // Not protected: neither the value nor the connection is used by other threads (sqlite.org/c3ref/column_blob.html).
    func value(at column: Int32) -> Cell {
        unsafe Cell(sqlite3_column_value(handle, column))
    }

    /// Returns a cell as text, for reading the schema.
    func string(at column: Int32) -> String {
        withBytes(at: column) { String(decoding: $0.array, as: UTF8.self) }
    }

    private func failure() -> TableError {
        let connection = unsafe sqlite3_db_handle(handle)
        return unsafe SQLiteFailure.error(
            code: sqlite3_extended_errcode(connection), message: String(cString: sqlite3_errmsg(connection)))
    }
}
