import JSONText

// What a worker knows of itself and of its calls.
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

    /// A call that is under way, or may still ask for something.
    struct Pending {
        let heard: Heard
        let name: ScriptCallName
        /// When it will have taken longer than it may.
        let deadline: ContinuousClock.Instant
        /// Whether whoever began it was told so.
        var isLate = false
        /// Whether its own operation changes nothing.
        let isReading: Bool
        /// Whether it is given away where the worker doesn't answer.
        let mayMove: Bool
        /// Whether it has asked for something that may have changed something.
        var hasActed = false

        func mayChange(by ask: ScriptAsk) -> Bool {
            switch ask.kind {
            case .execute: !isReading
            case .table(let rows): rows.operation != .read
            case .serve(let request): request.method != "GET"
            case .sql, .push: true
            case .unknown: false
            }
        }
    }

    /// All that its threads share.
    struct State {
        var process: WorkerProcess?
        /// Those under way.
        var calls: [Int: Pending] = [:]
        /// Those whose script has answered: what it still asks for is done for a while.
        var answered = AnsweredCalls()
        /// How many are under way.
        var load: Int { calls.count }
        var nextCall = 1
        var queuedBytes = 0
        var isEnded = false
        var isLoaded = false
        /// The file that it reads, before it has read all.
        var reading: String?
        /// When it was asked for a sign of life that it has not given yet.
        var askedAt: ContinuousClock.Instant?
        /// Whether it is saying something right now, behind which its sign of life may stand.
        var isHeard = false
        /// When it last gave a sign of life.
        var heardAt = ContinuousClock.now
        /// What `scriptTime` was when it was looked at after the last sign of life, and what it was lately.
        var timeAtSign: (time: Duration, at: ContinuousClock.Instant)?
        var timeNow: Duration?
        /// When the system was asked about it.
        var lookedAt: ContinuousClock.Instant?
        /// The call that was given up as it took too long, until the worker shows that it lives all the same.
        var late: (number: Int, script: String)?
        /// Why it was ended, where it was.
        var verdict: String?
        /// The call whose code it was ended for.
        var culprit: Int?
        /// It ends as soon as nothing is under way.
        var isRetiring = false
        /// Why it does, where that is an error.
        var left: String?

        /// The most bytes that wait for a worker to take them.
        private static let maximumQueue = 128 << 20

        /// Whether a message may be sent behind those that are gathered.
        func takes(_ frame: [UInt8], behind gathered: [UInt8]) -> Bool {
            !isEnded && frame.count <= MessageFrames.maximumLength
                && queuedBytes + gathered.count + frame.count <= Self.maximumQueue
        }

        /// One that is under way or answered.
        func call(_ number: Int) -> Pending? { calls[number] ?? answered[number] }

        /// For how long it has not given the sign of life that it was asked for.
        var silence: Duration { askedAt.map { .now - $0 } ?? .zero }

        /// Whether it has worked without a sign of life for so long, and for a part of that with a processor. One that the
        /// machine leaves no time has not; where the system tells nothing of that, its silence counts.
        func hasWorked(for time: Duration) -> Bool {
            guard silence > time, !isHeard else { return false }
            guard let timeAtSign, let timeNow else { return true }
            return timeNow - timeAtSign.time > time / 5
        }

        /// Whether it should answer at once.
        var isBusy: Bool { !calls.isEmpty || late != nil }

        /// Whether the system is to be asked about it at a look: at each while it has something to do, as scripts may have
        /// behind their answers.
        mutating func asksSystem(at now: ContinuousClock.Instant) -> Bool {
            let rests = isLoaded && askedAt == nil && !isBusy && answered.isEmpty
            if rests, let lookedAt, now - lookedAt < ScriptWorker.idleLook { return false }
            lookedAt = now
            return true
        }

        /// Takes note of how long the thread that runs scripts has worked.
        mutating func note(_ time: Duration?) {
            timeNow = time
            guard let time else { return timeAtSign = nil }
            if timeAtSign.map({ $0.at < heardAt }) ?? true { timeAtSign = (time, .now) }
        }
    }
}
