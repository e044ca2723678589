import CSQLite
import Tables

/// Copies of a whole database: the bytes of its file, and a new file.
extension SQLiteConnection {
    /// Returns the whole database as it is between two transactions.
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

    /// Replaces the contents with those of another database.
    func fill(from bytes: [UInt8]) throws(TableError) {
        var source: OpaquePointer?
        var code = unsafe sqlite3_open_v2(":memory:", &source, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
        defer { unsafe sqlite3_close_v2(source) }
        unsafe try withHandle { handle throws(TableError) in
            code = unsafe bytes.withUnsafeBufferPointer { buffer in
                // SQLite only reads it, and only during this call, although it asks for mutable memory.
                let start = unsafe UnsafeMutablePointer(mutating: buffer.baseAddress)
                let size = sqlite3_int64(buffer.count)
                let opened = unsafe sqlite3_deserialize(
                    source, "main", start, size, size, UInt32(SQLITE_DESERIALIZE_READONLY))
                return unsafe opened == SQLITE_OK ? Self.copyAll(of: source, to: handle) : opened
            }
        }
        guard code == SQLITE_OK else { throw .failed(detail: "SQLite \(code): a copy of the database failed") }
    }

    /// Copies a snapshot of the whole database to a new file. Others may write in the meantime.
    func copyAll(to path: String) throws(TableError) {
        FilePrivacy.make(path)
        var target: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        var code = unsafe sqlite3_open_v2(path, &target, flags, nil)
        defer { unsafe sqlite3_close_v2(target) }
        unsafe sqlite3_extended_result_codes(target, 1)
        // The caller makes sure that the copy is on disk.
        if code == SQLITE_OK { code = unsafe sqlite3_exec(target, "PRAGMA synchronous = OFF", nil, nil, nil) }
        if code == SQLITE_OK { code = unsafe try withHandle { unsafe Self.copyAll(of: $0, to: target) } }
        guard code == SQLITE_OK else {
            throw unsafe SQLiteFailure.error(code: code, message: String(cString: sqlite3_errmsg(target)))
        }
    }

    /// Copies all pages in one step, so that the copy never starts over; with a write-ahead log that blocks no one
    /// (sqlite.org/c3ref/backup_finish.html).
    private static func copyAll(of source: OpaquePointer?, to target: OpaquePointer?) -> Int32 {
        guard let backup = unsafe sqlite3_backup_init(target, "main", source, "main") else {
            return unsafe sqlite3_extended_errcode(target)
        }
        _ = unsafe sqlite3_backup_step(backup, -1)
        return unsafe sqlite3_backup_finish(backup)
    }
}
