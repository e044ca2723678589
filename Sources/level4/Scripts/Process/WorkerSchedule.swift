/// Decides what a worker is told, what its calls hear, and when it is ended: the decisions of a `ScriptWorker`, without
/// its process, threads and clock.
struct WorkerSchedule<Caller: Sendable>: Sendable {
    /// A call that is in progress, or may still make requests.
    struct Call: Sendable {
        let caller: Caller
        let name: ScriptCallName
        /// The time after which it has taken too long.
        let deadline: ContinuousClock.Instant
        /// Whether its own operation is a read.
        let isReading: Bool
        /// Whether it may move to another worker if this one doesn't respond.
        let mayMove: Bool
        /// Whether its caller has been told that it takes longer.
        fileprivate(set) var isLate = false
        /// Whether it has made a request that may have changed something.
        fileprivate(set) var hasActed = false

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

    /// What to do after a change, in this order.
    enum Action: Sendable {
        case tell(Caller, call: Int, ScriptWorker.CallEvent)
        /// Tell the worker's owner.
        case report(ScriptWorker.Event)
        case send(ServerMessage)
        /// Call `open`, unless the owner rejects what the worker has read.
        case open
        /// Call `retire`.
        case retire
        /// End the worker immediately.
        case end(because: String)
        /// Release these once no caller waits for it.
        case forget([Caller])
    }

    /// The results of a check of the process: the call whose code is running, at least if the worker is silent, and, if
    /// the system was asked, the processor time of the thread that runs scripts and the memory of the process.
    typealias Sight = (running: Int?, system: (time: Duration?, megabytes: Int)?)

    private let limits: ScriptLimits
    /// The calls in progress.
    private var calls: [Int: Call] = [:]
    /// Calls whose script has answered: their further requests are still served for a while.
    private var answered = AnsweredCalls<Call>()
    private var nextCall = 1
    /// The number of bytes that the system has not accepted yet.
    private(set) var queuedBytes = 0
    private var isEnded = false
    private(set) var isLoaded = false
    private var reading: ScriptReading
    /// Whether it was ended because it read for longer than it may.
    private var isEndless = false
    /// Whether it was ended for what it has read.
    private var isRefused = false
    /// When it had read the scripts.
    private var loadedAt: ContinuousClock.Instant?
    /// How long it goes on serving where its scripts leave an error to nobody soon after they were read: others would do
    /// the same.
    private let stays: Duration
    /// When it leaves for such an error.
    private var leavesAt: ContinuousClock.Instant?
    private var life: LifeSigns
    /// When the system was last asked about the process.
    private var lookedAt: ContinuousClock.Instant?
    /// The call that was abandoned because it took too long, until the worker shows a sign of life.
    private var late: (number: Int, script: String)?
    /// Why the worker was ended, if it was.
    private(set) var verdict: String? { didSet { assert(oldValue == nil, "what it was ended for stays") } }
    /// The call whose code was the reason for ending it.
    private var culprit: Int?
    /// Whether it ends as soon as no call is in progress.
    private var isRetiring = false
    /// Why it ends, if that is an error.
    private var left: String?

    /// The maximum number of bytes queued for a worker.
    private static var maximumQueue: Int { 128 << 20 }
    /// How often the system is asked about an idle worker: timers and sockets of scripts take memory as well.
    private static var idleLook: Duration { .milliseconds(200) }

    /// - Parameter stays: how long it serves on where reading leaves an error to nobody.
    init(limits: ScriptLimits, stays: Duration = .zero, at now: ContinuousClock.Instant) {
        (self.limits, self.stays) = (limits, stays)
        reading = ScriptReading(at: now)
        life = LifeSigns(at: now)
    }

    /// The file that the worker is reading; nil if it has read all.
    var unread: String? { isLoaded ? nil : reading.file }

    /// Returns why it is to be ended because it reads for longer than it may.
    /// - Parameter work: for how long it has had a processor since its start; nil if the system doesn't tell.
    func endlessReading(work: Duration?, at now: ContinuousClock.Instant) -> String? {
        isLoaded || isEnded || verdict != nil ? nil : reading.fault(work: work, limit: limits.readingWork, at: now)
    }

    /// Whether the worker has not responded for a while.
    func isSilent(at now: ContinuousClock.Instant) -> Bool { life.isSilent(at: now) }

    /// Returns the worker's condition.
    /// - Parameter running: the call whose code is running, at least if the worker is silent.
    func condition(running: Int?, at now: ContinuousClock.Instant) -> ScriptWorker.Condition {
        let (isGone, silence) = (isEnded || isRetiring || verdict != nil, life.silence(at: now))
        let works = running != nil && life.hasWorked(for: LifeSigns.patience, at: now)
        let isStuck = silence > LifeSigns.patience && (works || silence > LifeSigns.longSilence)
        return ScriptWorker.Condition(
            load: isLoaded && !isGone && late == nil ? calls.count : nil, isSilent: isSilent(at: now), isGone: isGone,
            stuckFor: isStuck ? silence : nil,
            isLooping: running != nil && life.hasWorked(for: LifeSigns.longSilence, at: now))
    }

    // MARK: What its host asks

    /// Accepts a call.
    /// - Parameters:
    ///   - bytes: the length of its message.
    ///   - gathered: the number of bytes that are sent before it.
    /// - Returns: its number; nil if the worker accepts no more calls.
    mutating func begin(_ call: Call, bytes: Int, behind gathered: Int) -> Int? {
        guard !isRetiring, verdict == nil, calls.count < limits.callsPerWorker, takes(bytes, behind: gathered)
        else { return nil }
        defer { assert(isSound) }
        calls[nextCall] = call
        nextCall += 1
        return nextCall - 1
    }

    /// Returns whether a message may be sent after the gathered ones.
    func takes(_ bytes: Int, behind gathered: Int) -> Bool {
        !isEnded && bytes <= MessageFrames.maximumLength && queuedBytes + gathered + bytes <= Self.maximumQueue
    }

    /// Records that the number of queued bytes has changed.
    mutating func queue(_ bytes: Int) {
        queuedBytes += bytes
        assert(isSound)
    }

    /// Abandons a call: its caller hears no more of it.
    /// - Parameters:
    ///   - isLate: whether it took too long. If it blocks the whole worker, the worker is ended.
    ///   - begun: the last call that the worker has started.
    mutating func cancel(_ number: Int, isLate: Bool, begun: Int) -> [Action] {
        guard let call = calls.removeValue(forKey: number) else { return [] }
        defer { assert(isSound) }
        // One that the worker has not come to holds up nothing.
        if isLate, number <= begun { late = (number, call.name.script) }
        return [.send(.cancel(call: number))] + endIfIdle
    }

    /// Accepts no more calls, and ends with the last one in progress; at once where it reads, as a loop hears nothing.
    mutating func retire() -> [Action] {
        isRetiring = true
        guard isLoaded || isEnded || verdict != nil else { return [.end(because: "it had not read the scripts yet")] }
        return endIfIdle
    }

    /// Records that the process is being ended, and why.
    mutating func end(because reason: String, running: Int?) {
        if verdict == nil { (verdict, culprit) = (reason, running) }
    }

    /// Records that the process is being ended for what it has read, and why.
    mutating func refuse(because reason: String) {
        isRefused = verdict == nil
        end(because: reason, running: nil)
    }

    /// Returns the reason for ending it because a script blocks it while others wait.
    func reasonToEnd(running: Int?) -> String {
        "\(running.flatMap(call)?.name.script ?? "a script") took all of its time while others waited"
    }

    // MARK: Looks

    /// Returns whether a check should ask the system about the process: each one while it is busy, as scripts may be
    /// even after their answers.
    mutating func asksSystem(at now: ContinuousClock.Instant) -> Bool {
        let rests = isLoaded && !life.isAsked && !isBusy && answered.isEmpty
        if rests, let lookedAt, now - lookedAt < Self.idleLook { return false }
        lookedAt = now
        return true
    }

    /// Checks its memory, the time of its calls, and whether it is alive.
    /// - Parameter sight: nil if there is no process.
    mutating func look(_ sight: Sight?, at now: ContinuousClock.Instant) -> [Action] {
        defer { assert(isSound) }
        let forgotten = answered.forget(after: limits.time, now: now).map(\.caller)
        var actions: [Action] = forgotten.isEmpty ? [] : [.forget(forgotten)]
        for (number, call) in callsInOrder where now > call.deadline && !call.isLate {
            calls[number]?.isLate = true
            actions.append(.tell(call.caller, call: number, .late))
        }
        if let (time, _) = sight?.system { life.note(time, at: now) }
        let stuck = stuckScript(running: sight?.running, at: now)
        let endless = sight.flatMap { endlessReading(work: $0.system?.time, at: now) }
        let asks = isLoaded && life.ask(isBusy: isBusy, at: now)
        guard let sight else { return actions }
        if asks { actions.append(.send(.ping)) }
        if let (_, megabytes) = sight.system, megabytes > limits.processMegabytes {
            let limit = "scripts.memoryMegabytes is \(limits.memoryMegabytes)"
            actions.append(.end(because: "it took \(megabytes) MiB of memory, and \(limit)"))
        } else if let endless {
            isEndless = true
            actions.append(.end(because: endless))
        } else if let stuck {
            actions.append(.end(because: "\(stuck) took all of its time for longer than scripts.timeSeconds"))
        }
        if let leavesAt, now >= leavesAt {
            self.leavesAt = nil
            return actions + [.report(.leaving), .retire]
        }
        return actions + endIfIdle
    }

    /// Whether it should respond immediately.
    private var isBusy: Bool { !calls.isEmpty || late != nil }

    private func stuckScript(running: Int?, at now: ContinuousClock.Instant) -> String? {
        let silence = life.silence(at: now)
        if silence > LifeSigns.patience, let late, running == late.number { return late.script }
        guard silence > limits.time + LifeSigns.patience else { return nil }
        return (running.flatMap(call) ?? callsInOrder.first?.value)?.name.script ?? "a script"
    }

    private var endIfIdle: [Action] { isRetiring && calls.isEmpty && answered.isEmpty ? [.send(.end)] : [] }

    // MARK: What the worker says

    /// Records that a message has begun to arrive, or has arrived.
    mutating func hear(_ isHeard: Bool) { life.isHeard = isHeard }

    /// Handles a message of the worker.
    mutating func take(_ message: WorkerMessage, at now: ContinuousClock.Instant) -> [Action] {
        assert(!isEnded)
        defer { assert(isSound) }
        let isSign = if case .pong = message { true } else { false }
        life.hear(isSign: isSign, at: now)
        switch message {
        case .reading(let file): reading.begin(file, at: now)
        case .loaded(let inventory, let words):
            loadedAt = now
            return [.report(.loaded(inventory, words)), .open]
        case .pong: late = nil
        case .log(let number, let level, let text):
            return [.report(.line(ScriptLogLine(level: level, text: text, call: number.flatMap(call)?.name)))]
        case .broken(let stack):
            if verdict == nil {
                left = "a script left an error to nobody: \(stack)"
                if !isLoaded { verdict = left }
            }
            if let loadedAt, verdict == nil, !isRetiring, stays > .zero, now - loadedAt < WorkerPoolSchedule.settling {
                leavesAt = now + stays
                return []
            }
            return [.report(.leaving), .retire]
        case .ask(let number, let ask):
            if calls[number]?.mayChange(by: ask) == true { calls[number]?.hasActed = true }
            return [tell(number, .ask(ask))]
        case .operated(let number, let operation, let answer): return [tell(number, .operated(operation, answer))]
        case .skipped(let number):
            guard let call = calls.removeValue(forKey: number) else { break }
            return [.tell(call.caller, call: number, .moved(isSuspect: false))]
        case .done(let number, let answer):
            guard let call = calls.removeValue(forKey: number) else { break }
            answered.add(number, call, at: now)
            return [.tell(call.caller, call: number, .done(answer))]
        }
        return []
    }

    /// Tells a call what its script says. A call that is unknown here need not be kept there.
    private func tell(_ number: Int, _ event: ScriptWorker.CallEvent) -> Action {
        call(number).map { .tell($0.caller, call: number, event) } ?? .send(.cancel(call: number))
    }

    private var callsInOrder: [(key: Int, value: Call)] { calls.sorted { $0.key < $1.key } }

    /// Returns a call that is in progress or answered.
    private func call(_ number: Int) -> Call? { calls[number] ?? answered[number] }

    /// Accepts calls from now on: it has read the scripts.
    mutating func open() {
        isLoaded = true
        assert(isSound)
    }

    /// Records that the process has ended, or could not be started.
    /// - Parameters:
    ///   - end: how it ended, in words.
    ///   - running: the call whose code ran last.
    ///   - begun: the last call that it has started.
    ///   - hasActed: whether a call has done something with side effects, according to the process.
    mutating func finish(
        _ end: String, running: Int? = nil, begun: Int = 0, hasActed: (Int) -> Bool = { _ in false }
    ) -> [Action] {
        assert(!isEnded, "a process ends once")
        defer { assert(isSound) }
        let (reason, culprit, isExpected) = (verdict ?? end, culprit ?? running, isRetiring && verdict == nil)
        var actions = callsInOrder.map { number, call -> Action in
            let isLost = number == culprit || call.hasActed || number <= begun && hasActed(number)
            let isSuspect = number <= begun && culprit == nil
            return .tell(
                call.caller, call: number,
                isLost ? .lost(reason, isCulprit: number == culprit) : .moved(isSuspect: isSuspect))
        }
        (isEnded, calls, answered) = (true, [:], AnsweredCalls())
        let stage: ScriptWorker.Stage =
            isLoaded
            ? .serving(hadCalls: nextCall > 1) : isEndless ? .endless(reading.file) : .reading(reading.file)
        let end = isRefused ? .refused : stage
        actions.append(.report(.ended(left ?? reason, isExpected: isExpected && left == nil, end)))
        return actions
    }

    /// Whether the invariants hold that are true between calls.
    private var isSound: Bool {
        // A call is in one place, and ends once.
        let areApart = calls.keys.allSatisfy { $0 < nextCall && answered[$0] == nil && $0 != late?.number }
        let isOver = !isEnded || calls.isEmpty && answered.isEmpty
        let isAsked = isLoaded || !life.isAsked && late == nil
        return areApart && isOver && isAsked && queuedBytes >= 0 && calls.count <= limits.callsPerWorker
    }
}

// Which calls it gives back, to be begun in another worker: what it has not come to, and what has done nothing that
// anybody could notice. The worker is told first and asked then, which is why each takes two steps.
extension WorkerSchedule {
    /// Returns the last of the calls that it must not start any more; nil if it responds.
    /// - Parameter begun: the last call that it has started.
    func skipped(begun: Int, at now: ContinuousClock.Instant) -> Int? {
        guard isSilent(at: now) else { return nil }
        // Up to the first that stays, as the worker leaves out all that stand before a number.
        return (calls.filter { $0.key > begun && !$0.value.mayMove }.keys.min() ?? nextCall) - 1
    }

    /// Returns the started calls that can move: after a long silence, those without effects so far, except the running
    /// one.
    func movable(begun: Int, running: Int?, at now: ContinuousClock.Instant) -> [Int] {
        guard let running, life.hasWorked(for: LifeSigns.longSilence, at: now) else { return [] }
        return calls.keys.filter { $0 <= begun && $0 != running && calls[$0]?.mayMove == true && !hasActed($0) }
    }

    /// Returns whether a call in progress has made a request that may have changed something.
    func hasActed(_ number: Int) -> Bool { calls[number]?.hasActed ?? true }

    /// Moves calls to other workers.
    /// - Parameters:
    ///   - last: the last of the calls that the worker must not start any more.
    ///   - begun: the last call that it has started, or may be about to start.
    ///   - moved: the started calls that were stopped.
    mutating func giveAway(upTo last: Int, begun: Int, moved: [Int], at now: ContinuousClock.Instant) -> [Action] {
        assert(moved.allSatisfy { $0 <= begun && !hasActed($0) })
        defer { assert(isSound) }
        let isLong = life.hasWorked(for: LifeSigns.longSilence, at: now)
        // What those changed here that were begun, such as a module's variables, ends with this process.
        if !moved.isEmpty { isRetiring = true }
        let waiting = calls.filter { $0.value.mayMove && $0.key > begun && $0.key <= last }.keys
        let actions = (moved + waiting).sorted().flatMap { number -> [Action] in
            guard let call = calls.removeValue(forKey: number) else { return [] }
            return (isLong ? [.send(.cancel(call: number))] : [])
                + [.tell(call.caller, call: number, .moved(isSuspect: false))]
        }
        return actions + endIfIdle
    }

    /// Returns the last of the calls that it must not start any more, so that a call can be released whose time was
    /// used up by the code of others; nil if it wasn't.
    func skipped(toRelease number: Int, running: Int?, at now: ContinuousClock.Instant) -> Int? {
        guard calls[number] != nil, isSilent(at: now), let running, running != number else { return nil }
        return nextCall - 1
    }

    /// Releases a call without effects so far, which can be started in another worker.
    mutating func release(_ number: Int, begun: Int) -> [Action] {
        assert(!hasActed(number) || number > begun)
        defer { assert(isSound) }
        calls.removeValue(forKey: number)
        if number <= begun { isRetiring = true }
        return [.send(.cancel(call: number))]
    }
}
