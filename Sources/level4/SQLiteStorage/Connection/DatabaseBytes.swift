import CSQLite
import Tables

/// A whole database as the bytes that its file would have.
extension SQLiteConnection {
    /// The whole database as it is between two transactions.
    func serialized() throws(TableError) -> [UInt8] {
        unsafe try withHandle { handle throws(TableError) in
            var size: sqlite3_int64 = 0
            guard let start = unsafe sqlite3_serialize(handle, "main", &size, 0) else {
                throw .failed(detail: "no memory for a copy of the database")
            }
            defer { unsafe sqlite3_free(start) }
            return unsafe Array(UnsafeBufferPointer(start: start, count: Int(size)))
        }
    }

    /// Replaces the content with that of another database.
    func fill(from bytes: [UInt8]) throws(TableError) {
        var source: OpaquePointer?
        var code = unsafe sqlite3_open_v2(":memory:", &source, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
        defer { unsafe sqlite3_close_v2(source) }
        unsafe try withHandle { handle throws(TableError) in
            code = unsafe bytes.withUnsafeBufferPointer { buffer in
                // It is only read, and not beyond this call: what SQLite wants to be mutable stays as it is.
                let start = unsafe UnsafeMutablePointer(mutating: buffer.baseAddress)
                let size = sqlite3_int64(buffer.count)
                let opened = unsafe sqlite3_deserialize(
                    source, "main", start, size, size, UInt32(SQLITE_DESERIALIZE_READONLY))
                guard opened == SQLITE_OK else { return opened }
                guard let backup = unsafe sqlite3_backup_init(handle, "main", source, "main") else {
                    return unsafe sqlite3_extended_errcode(handle)
                }
                _ = unsafe sqlite3_backup_step(backup, -1)
                return unsafe sqlite3_backup_finish(backup)
            }
        }
        guard code == SQLITE_OK else { throw .failed(detail: "SQLite \(code): a copy of the database failed") }
    }
}
