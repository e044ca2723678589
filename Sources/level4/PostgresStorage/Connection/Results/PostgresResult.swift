import ByteText
import CPostgres

/// The rows that a statement returned, in binary format; used by one thread at a time.
@safe final class PostgresResult {
    private let handle: OpaquePointer
    let rowCount: Int
    let columnCount: Int

    init(_ handle: OpaquePointer) {
        unsafe self.handle = unsafe handle
        rowCount = Int(unsafe PQntuples(handle))
        columnCount = Int(unsafe PQnfields(handle))
    }

    deinit {
        unsafe PQclear(handle)
    }

    /// The size of the rows in memory.
    var byteCount: Int { unsafe PQresultMemorySize(handle) }

    /// The command tag, such as `COMMIT`.
    var command: String {
        unsafe PQcmdStatus(handle).map { unsafe String(cString: $0) } ?? ""
    }

    func type(of column: Int) -> UInt32 {
        unsafe PQftype(handle, Int32(column))
    }

    func isNull(_ row: Int, _ column: Int) -> Bool {
        unsafe PQgetisnull(handle, Int32(row), Int32(column)) != 0
    }

    /// Lends a cell's bytes, which are valid only during the call.
    func withBytes<Result>(_ row: Int, _ column: Int, _ body: (Span<UInt8>) -> Result) -> Result {
        let count = Int(unsafe PQgetlength(handle, Int32(row), Int32(column)))
        guard count > 0, let start = unsafe PQgetvalue(handle, Int32(row), Int32(column)) else {
            return body([UInt8]().span)
        }
        let bytes = unsafe UnsafeRawBufferPointer(start: start, count: count)
        return unsafe bytes.withMemoryRebound(to: UInt8.self) { unsafe body($0.span) }
    }

    /// Returns a cell's bytes, which are valid as long as the result exists.
    @unsafe func bytes(_ row: Int, _ column: Int) -> UnsafeBufferPointer<UInt8> {
        let count = Int(unsafe PQgetlength(handle, Int32(row), Int32(column)))
        let start = unsafe UnsafeRawPointer(PQgetvalue(handle, Int32(row), Int32(column)))
        return unsafe UnsafeBufferPointer(
            start: start?.assumingMemoryBound(to: UInt8.self), count: start == nil ? 0 : count)
    }

    /// Returns a cell's bytes as a big-endian number.
    func bits(_ row: Int, _ column: Int) -> UInt64 {
        withBytes(row, column) { bytes in
            if bytes.count == 8 { return unsafe bytes.bytes.unsafeLoadUnaligned(as: UInt64.self).bigEndian }
            var bits: UInt64 = 0
            for index in bytes.indices { bits = bits << 8 | UInt64(bytes[index]) }
            return bits
        }
    }

    /// Returns an `int8` cell; 0 for null.
    func integer(_ row: Int, _ column: Int) -> Int64 {
        Int64(bitPattern: bits(row, column))
    }

    /// Returns a `bool` cell; false for null.
    func boolean(_ row: Int, _ column: Int) -> Bool {
        bits(row, column) != 0
    }

    /// Returns a `text` cell.
    func string(_ row: Int, _ column: Int) -> String {
        withBytes(row, column) { String(decoding: $0.array, as: UTF8.self) }
    }
}
