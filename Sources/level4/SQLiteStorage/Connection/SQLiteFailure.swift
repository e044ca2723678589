import CSQLite
import Tables

/// Maps SQLite's result codes to the errors of the storage contract.
enum SQLiteFailure {
    /// - Parameter code: an extended result code.
    static func error(code: Int32, message: String) -> TableError {
        let detail = "SQLite \(code): \(message)"
        switch code {
        // Growing the shared memory file of the write-ahead log is the third way to hit a full disk.
        case SQLITE_FULL, ioErrorWrite, ioErrorSharedMemorySize:
            return .full
        default:
            switch code & 0xFF {
            case SQLITE_INTERRUPT: return .timeout
            case SQLITE_TOOBIG: return .tooLarge
            // A failing or read-only disk and a shortage of memory may be temporary, and so is a write lock for which
            // others were faster for some seconds.
            case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL, SQLITE_CANTOPEN, SQLITE_IOERR, SQLITE_READONLY,
                SQLITE_NOMEM:
                return .unavailable(detail: detail)
            // The server's own triggers and records have rules too, such as for the last of all stamps.
            default:
                let isOwn = message.hasPrefix("zumod: ") || message.contains("zumod_")
                guard !isOwn, let refusal = rowRefusal(code) else { return .failed(detail: detail) }
                return .refused(refusal, detail: detail)
            }
        }
    }

    /// Returns why the row that the statement writes is refused; nil if it isn't the row.
    private static func rowRefusal(_ code: Int32) -> RowRefusal? {
        guard code & 0xFF == SQLITE_CONSTRAINT else { return nil }
        // The header defines the extended codes by expressions that aren't imported.
        return switch code >> 8 {
        // CHECK, TRIGGER by RAISE, DATATYPE.
        case 1, 7, 12: .rule
        // FOREIGNKEY.
        case 3: .reference
        // NOTNULL.
        case 5: .missingValue
        // PRIMARYKEY, UNIQUE, ROWID.
        case 6, 8, 10: .taken
        default: nil
        }
    }

    /// Returns the extended result code in an error's detail; nil if it isn't from SQLite.
    static func code(of detail: String) -> Int32? {
        guard detail.hasPrefix("SQLite ") else { return nil }
        return Int32(detail.dropFirst("SQLite ".count).prefix { $0 != ":" })
    }

    /// Whether it was the file that could not be read, or that another program has locked.
    static func isOfReading(_ code: Int32) -> Bool {
        // IOERR_READ, IOERR_SHORT_READ.
        [SQLITE_IOERR | 1 << 8, SQLITE_IOERR | 2 << 8].contains(code)
            || [SQLITE_BUSY, SQLITE_LOCKED].contains(code & 0xFF)
    }

    // The header defines these by expressions that aren't imported.
    private static let ioErrorWrite = SQLITE_IOERR | 3 << 8
    private static let ioErrorSharedMemorySize = SQLITE_IOERR | 19 << 8
}
