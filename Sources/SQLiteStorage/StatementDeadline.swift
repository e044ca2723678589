import CSQLite
import Tables

/// When the statements of one connection have to be done. Only the thread that has the connection touches it.
@safe final class StatementDeadline {
    var end: ContinuousClock.Instant?

    /// SQLite's instructions between two looks at the clock. A single one may fold a text of a megabyte.
    private static let instructionsPerLook: Int32 = 100

    /// Lets SQLite ask whether to go on. The deadline has to live until the connection is closed.
    func watch(_ connection: OpaquePointer) {
        unsafe sqlite3_progress_handler(
            connection, Self.instructionsPerLook,
            { context in
                guard let context = unsafe context else { return 0 }
                let deadline = unsafe Unmanaged<StatementDeadline>.fromOpaque(context).takeUnretainedValue()
                guard let end = deadline.end else { return 0 }
                return ContinuousClock.now >= end ? 1 : 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }
}

extension SQLiteConnection {
    /// Runs statements that are given up, with `unavailable`, when they take longer than that together.
    func within<Result>(
        _ time: Duration, _ body: () throws(TableError) -> Result
    ) throws(TableError) -> Result {
        deadline.end = ContinuousClock.now + time
        defer { deadline.end = nil }
        return try body()
    }
}
