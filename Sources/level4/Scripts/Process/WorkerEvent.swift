import JSONText

// What others hear of a worker and of its calls.
extension ScriptWorker {
    /// What a worker's owner is told of it.
    enum Event: Sendable {
        /// It has read the scripts.
        case loaded(ScriptInventory, JSONValue)
        /// A line for the log.
        case line(ScriptLogLine)
        /// It accepts no more calls, as the scripts that it has read may be partly changed.
        case leaving
        /// It has ended, with the reason in words. Expected if it was retired.
        case ended(String, isExpected: Bool, Stage = .reading(nil))
    }

    /// How far a worker had come when it ended.
    enum Stage: Sendable, Equatable {
        /// It was reading the scripts: this file; nil before the first.
        case reading(String?)
        /// It was ended because it read for longer than it may: this file; nil before the first.
        case endless(String?)
        /// It had read something else than is served, which its host has told of.
        case refused
        /// It had read all.
        case serving(hadCalls: Bool)
    }

    /// What a call in a worker is told.
    enum CallEvent: Sendable {
        /// The script makes a request to the server.
        case ask(ScriptAsk)
        /// The script of an operation is done that the server has come to by what the script has asked.
        case operated(Int64, ScriptAnswer)
        /// The script is done.
        case done(ScriptAnswer)
        /// The worker ended during the call. A culprit's own code was the cause.
        case lost(String, isCulprit: Bool)
        /// It has taken too long.
        case late
        /// It has had no effects so far, and can be started in another worker. A suspect was in progress when this one
        /// ended, and it is unknown whose code was the cause.
        case moved(isSuspect: Bool)
    }

    /// Receives the news of a call, by its number.
    typealias Heard = @Sendable (Int, CallEvent) -> Void

    /// A worker's condition, for its pool.
    struct Condition: Sendable {
        /// The number of calls in progress; nil if it accepts none.
        var load: Int?
        /// Whether it has not responded for a while.
        var isSilent = false
        /// Whether it accepts no more calls.
        var isGone = false
        /// How long the code of a script has kept it from responding; nil if it responds, or got no processor time.
        var stuckFor: Duration?
        /// Whether a script's code has used the processor for long.
        var isLooping = false
    }
}
