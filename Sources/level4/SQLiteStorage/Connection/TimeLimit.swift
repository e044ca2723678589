import CSQLite
import WorkThreads

/// Stops a connection's statement when its turn is over. While a statement runs, SQLite asks now and then whether to go
/// on.
// Used by one thread at a time: the one that has the connection, on which SQLite also asks.
final class TimeLimit {
    private var turn: QueueTicket?
    private var brief: InlineReadLimit?
    private var script: ScriptBound?

    /// Steps of SQLite's virtual machine between two questions. A single step may fold a text of a megabyte.
    static let stepsBetweenQuestions = 100

    /// Makes SQLite ask. The limit has to live as long as the connection.
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

    func start(_ turn: QueueTicket) {
        self.turn = turn
    }

    /// Gives what runs only a short time.
    func startBriefly() {
        brief = InlineReadLimit()
    }

    /// Limits how long what runs holds up others, and how much it writes, to what a script may.
    func start(_ bound: ScriptBound) {
        script = bound
    }

    func stop() {
        turn = nil
        brief = nil
        script = nil
    }

    /// Whether what runs has to end.
    var isOver: Bool {
        if let brief { return brief.isOver }
        guard let turn else { return false }
        if turn.stopReason != nil || script?.isOver == true { return true }
        return turn.deadline.map { ContinuousClock.now >= $0 } ?? false
    }
}
