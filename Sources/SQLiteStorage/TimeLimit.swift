import CSQLite

/// Stops a connection's statement at a point in time. SQLite asks now and then, while a statement runs, whether to go on.
// Used by one thread at a time: the one that has the connection, on which SQLite also asks.
final class TimeLimit {
    private var deadline: ContinuousClock.Instant?

    /// How many steps of SQLite's virtual machine lie between two questions: some ten microseconds.
    private static let stepsBetweenQuestions: Int32 = 1_000

    /// Makes SQLite ask. The limit has to live as long as the connection.
    func watch(_ connection: OpaquePointer) {
        unsafe sqlite3_progress_handler(
            connection, Self.stepsBetweenQuestions,
            { context in
                guard let context = unsafe context else { return 0 }
                return unsafe Unmanaged<TimeLimit>.fromOpaque(context).takeUnretainedValue().isOver ? 1 : 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    func start(_ duration: Duration) {
        deadline = .now + duration
    }

    func stop() {
        deadline = nil
    }

    private var isOver: Bool {
        guard let deadline else { return false }
        return ContinuousClock.now >= deadline
    }
}
