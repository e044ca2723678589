import CSQLite
import Tables

/// How much a T-SQL script may hold up others while it writes: all of them need the writer's thread.
@safe final class ScriptBound {
    private let connection: OpaquePointer
    private let isAwaited: () -> Bool
    private let end: ContinuousClock.Instant
    private let first: Int
    private let mostPages: Int
    /// Whether it has exceeded the limit for writing.
    private(set) var hasWrittenTooMuch = false

    /// How long it may run if others are waiting to write. Otherwise it has as long as a list.
    private static let time = (users: Duration.milliseconds(500), operators: Duration.seconds(10))
    /// The maximum number of pages it may write to the log: with SQLite's usual page size, 256 MiB and 1 GiB.
    private static let mostPages = (users: 65_536, operators: 262_144)

    /// - Parameters:
    ///   - isOperators: whether it isn't on behalf of a user.
    ///   - isAwaited: returns whether others are waiting to write.
    init(_ connection: OpaquePointer, isOperators: Bool, _ isAwaited: @escaping () -> Bool) {
        unsafe self.connection = unsafe connection
        self.isAwaited = isAwaited
        end = ContinuousClock.now + (isOperators ? Self.time.operators : Self.time.users)
        mostPages = isOperators ? Self.mostPages.operators : Self.mostPages.users
        first = unsafe Self.pagesWritten(by: connection)
    }

    var isOver: Bool {
        if unsafe Self.pagesWritten(by: connection) - first > mostPages { hasWrittenTooMuch = true }
        return hasWrittenTooMuch || ContinuousClock.now >= end && isAwaited()
    }

    /// Counts pages written. Those that don't fit into the connection's cache are in the log before the commit.
    private static func pagesWritten(by connection: OpaquePointer) -> Int {
        var (count, most): (Int32, Int32) = (0, 0)
        unsafe sqlite3_db_status(connection, SQLITE_DBSTATUS_CACHE_WRITE, &count, &most, 0)
        return Int(count)
    }
}
