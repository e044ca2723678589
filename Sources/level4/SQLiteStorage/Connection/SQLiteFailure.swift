import CSQLite
import Tables

/// SQLite's result codes as the storage contract's errors.
enum SQLiteFailure {
    /// - Parameter code: an extended result code.
    static func error(code: Int32, message: String) -> TableError {
        let detail = "SQLite \(code): \(message)"
        switch code {
        // Growing the shared memory file of the write-ahead log is the third way to meet a full disk.
        case SQLITE_FULL, ioErrorWrite, ioErrorSharedMemorySize:
            return .full
        default:
            switch code & 0xFF {
            case SQLITE_INTERRUPT: return .timeout
            case SQLITE_TOOBIG: return .tooLarge
            // A disk that fails, or memory that is short, or was made read-only may be back later; a log of writes whose lock
            // others were faster at, for seconds, is free later.
            case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL, SQLITE_CANTOPEN, SQLITE_IOERR, SQLITE_READONLY,
                SQLITE_NOMEM:
                return .unavailable(detail: detail)
            default: return .failed(detail: detail)
            }
        }
    }

    /// The extended result code behind such a failure; nil if it isn't from SQLite.
    static func code(of detail: String) -> Int32? {
        guard detail.hasPrefix("SQLite ") else { return nil }
        return Int32(detail.dropFirst("SQLite ".count).prefix { $0 != ":" })
    }

    // The header defines these with an expression that isn't imported.
    private static let ioErrorWrite = SQLITE_IOERR | 3 << 8
    private static let ioErrorSharedMemorySize = SQLITE_IOERR | 19 << 8
}
