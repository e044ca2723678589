import JSONText

// What others hear of a worker and of its calls.
extension ScriptWorker {
    /// What becomes of a worker, as whoever began it hears of it.
    enum Event: Sendable {
        /// It has read the scripts.
        case loaded(ScriptInventory, JSONValue)
        /// A line for the log.
        case line(ScriptLogLine)
        /// It takes no further call, as what it has read may be half changed.
        case leaving
        /// It is no more; why, in words. Expected where it was let go.
        case ended(String, isExpected: Bool)
    }

    /// What a call in a worker hears.
    enum CallEvent: Sendable {
        /// The script wants something of the server.
        case ask(ScriptAsk)
        /// The script of an operation is done that the server has come to by what the script has asked.
        case operated(Int64, ScriptAnswer)
        /// The script is done.
        case done(ScriptAnswer)
        /// The worker ended under it. A culprit's own code was what ended it.
        case lost(String, isCulprit: Bool)
        /// It has taken longer than it may.
        case late
        /// It has done nothing yet, and can be begun in another worker. A suspect was under way when this one ended, and it
        /// is not known whose code it was that ended it.
        case moved(isSuspect: Bool)
    }

    /// Hears of a call by its number.
    typealias Heard = @Sendable (Int, CallEvent) -> Void

    /// How a worker is, for whoever gives it calls and looks after it.
    struct Condition: Sendable {
        /// How many calls are under way; nil where it takes none.
        var load: Int?
        /// Whether it has not answered for a while.
        var isSilent = false
        /// Whether it takes no call any more.
        var isGone = false
        /// For how long the code of a script has kept it from answering; nil where it answers. One that the machine leaves
        /// no time runs nobody's code.
        var stuckFor: Duration?
        /// Whether a script's code has had the machine for long, and nobody else's.
        var isLooping = false
    }
}
