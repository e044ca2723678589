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

    /// The memory that the rows take.
    var byteCount: Int { unsafe PQresultMemorySize(handle) }

    /// What the statement did, such as `COMMIT`.
    var command: String {
        unsafe PQcmdStatus(handle).map { unsafe String(cString: $0) } ?? ""
    }

    func type(of column: Int) -> UInt32 {
        unsafe PQftype(handle, Int32(column))
    }

    func isNull(_ row: Int, _ column: Int) -> Bool {
        unsafe PQgetisnull(handle, Int32(row), Int32(column)) != 0
    }

    /// Passes on a cell's bytes, which are valid during the call.
    func withBytes<Result>(_ row: Int, _ column: Int, _ body: (Span<UInt8>) -> Result) -> Result {
        let count = Int(unsafe PQgetlength(handle, Int32(row), Int32(column)))
        guard count > 0, let start = unsafe PQgetvalue(handle, Int32(row), Int32(column)) else {
            return body([UInt8]().span)
        }
        let bytes = unsafe UnsafeRawBufferPointer(start: start, count: count)
        return unsafe bytes.withMemoryRebound(to: UInt8.self) { unsafe body($0.span) }
    }

    /// A cell's bytes, which are valid as long as the result.
    @unsafe func bytes(_ row: Int, _ column: Int) -> UnsafeBufferPointer<UInt8> {
        let count = Int(unsafe PQgetlength(handle, Int32(row), Int32(column)))
        let start = unsafe UnsafeRawPointer(PQgetvalue(handle, Int32(row), Int32(column)))
        return unsafe UnsafeBufferPointer(
            start: start?.assumingMemoryBound(to: UInt8.self), count: start == nil ? 0 : count)
    }

    /// A cell's bytes as one number, most significant first.
    func bits(_ row: Int, _ column: Int) -> UInt64 {
        withBytes(row, column) { bytes in
            if bytes.count == 8 { return unsafe bytes.bytes.unsafeLoadUnaligned(as: UInt64.self).bigEndian }
            var bits: UInt64 = 0
            for index in bytes.indices { bits = bits << 8 | UInt64(bytes[index]) }
            return bits
        }
    }

    /// An `int8` cell; 0 for null.
    func integer(_ row: Int, _ column: Int) -> Int64 {
        Int64(bitPattern: bits(row, column))
    }

    /// A `bool` cell; false for null.
    func boolean(_ row: Int, _ column: Int) -> Bool {
        bits(row, column) != 0
    }

    /// A `text` cell.
    func string(_ row: Int, _ column: Int) -> String {
        withBytes(row, column) { String(decoding: $0.array, as: UTF8.self) }
    }
}
