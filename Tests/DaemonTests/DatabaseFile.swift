import CSQLite

/// A SQLite file, looked into beside the server.
@safe final class DatabaseFile {
    private var handle: OpaquePointer?

    struct Failure: Error {
        let code: Int32
    }

    init(_ path: String) throws {
        let code = unsafe sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE, nil)
        guard code == SQLITE_OK else { throw Failure(code: code) }
    }

    deinit {
        unsafe sqlite3_close_v2(handle)
    }

    /// Runs SQL as another program would.
    func run(_ sql: String) throws {
        let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw Failure(code: code) }
    }

    /// What SQLite finds wrong with the file.
    func faults() throws -> [String] {
        var statement: OpaquePointer?
        let code = unsafe sqlite3_prepare_v2(handle, "PRAGMA integrity_check", -1, &statement, nil)
        defer { unsafe sqlite3_finalize(statement) }
        guard code == SQLITE_OK else { throw Failure(code: code) }
        var lines: [String] = []
        while unsafe sqlite3_step(statement) == SQLITE_ROW {
            if let text = unsafe sqlite3_column_text(statement, 0) { lines.append(unsafe String(cString: text)) }
        }
        return lines == ["ok"] ? [] : lines
    }
}
