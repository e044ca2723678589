import CSQLite
import WorkThreads

/// Stops a connection's statement when its turn is over. SQLite regularly calls it while a statement runs, to ask
/// whether to continue.
// Used by one thread at a time: the one that has the connection, on which SQLite calls it too.
final class TimeLimit {
    private var ticket: QueueTicket?
    private var brief: InlineReadLimit?
    private var script: ScriptBound?

    /// The number of virtual machine steps between two calls. A single step may fold a text of a megabyte.
    static let stepsBetweenQuestions = 100

    /// Makes SQLite call it. The limit has to live as long as the connection.
    func watch(_ connection: OpaquePointer) {
        unsafe sqlite3_progress_handler(
            connection, Int32(Self.stepsBetweenQuestions),
            { context in
                guard let context = unsafe context else { return 0 }
                let limit = unsafe Unmanaged<TimeLimit>.fromOpaque(context).takeUnretainedValue()
                limit.brief?.countSteps()
                return limit.isOver ? 1 : 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    func start(_ ticket: QueueTicket) {
        self.ticket = ticket
    }

    /// Applies the short limits of event loops.
    func startBriefly() {
        brief = InlineReadLimit()
    }

    /// Applies the limits of a script, in time for which it may hold up others and in what it writes.
    func start(_ bound: ScriptBound) {
        script = bound
    }

    func stop() {
        ticket = nil
        brief = nil
        script = nil
    }

    /// Whether the running statement has to end.
    var isOver: Bool {
        if let brief { return brief.isOver }
        guard let ticket else { return false }
        if ticket.stopReason != nil || script?.isOver == true { return true }
        return ticket.deadline.map { ContinuousClock.now >= $0 } ?? false
    }
}
