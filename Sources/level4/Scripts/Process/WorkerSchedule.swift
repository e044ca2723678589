/// What a worker is told, what its calls hear, and when it is ended: the decisions of a `ScriptWorker`, without its
/// process, its threads and its clock.
struct WorkerSchedule<Caller: Sendable>: Sendable {
    /// A call that is under way, or may still ask for something.
    struct Call: Sendable {
        let caller: Caller
        let name: ScriptCallName
        /// When it will have taken longer than it may.
        let deadline: ContinuousClock.Instant
        /// Whether its own operation changes nothing.
        let isReading: Bool
        /// Whether it is given away where the worker doesn't answer.
        let mayMove: Bool
        /// Whether whoever began it was told that it takes longer.
        fileprivate(set) var isLate = false
        /// Whether it has asked for something that may have changed something.
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

    /// What has to be done after a change, one after the other.
    enum Action: Sendable {
        case tell(Caller, call: Int, ScriptWorker.CallEvent)
        /// Tell whoever began the worker.
        case report(ScriptWorker.Event)
        case send(ServerMessage)
        /// Call `open`: whoever has heard what the worker has read may not want it.
        case open
        /// Call `retire`.
        case retire
        /// End it at once.
        case end(because: String)
        /// Let these go once nobody is kept waiting for that.
        case forget([Caller])
    }

    /// What a look at the process has shown: the call whose code runs, at least where the worker is silent, and where
    /// the system was asked, how long the thread that runs scripts has worked and what the process has in memory.
    typealias Sight = (running: Int?, system: (time: Duration?, megabytes: Int)?)

    private let limits: ScriptLimits
    /// Those under way.
    private var calls: [Int: Call] = [:]
    /// Those whose script has answered: what it still asks for is done for a while.
    private var answered = AnsweredCalls<Call>()
    private var nextCall = 1
    /// How many bytes the system has not taken yet.
    private(set) var queuedBytes = 0
    private var isEnded = false
    private(set) var isLoaded = false
    private var reading: String?
    private var life: LifeSigns
    /// When the system was asked about it.
    private var lookedAt: ContinuousClock.Instant?
    /// The call that was given up as it took too long, until the worker shows that it lives all the same.
    private var late: (number: Int, script: String)?
    /// Why it was ended, where it was.
    private(set) var verdict: String? { didSet { assert(oldValue == nil, "what it was ended for stays") } }
    /// The call whose code it was ended for.
    private var culprit: Int?
    /// It ends as soon as nothing is under way.
    private var isRetiring = false
    /// Why it does, where that is an error.
    private var left: String?

    /// The most bytes that wait for a worker to take them.
    private static var maximumQueue: Int { 128 << 20 }
    /// How long nobody asks the system about one with nothing to do: timers and sockets of scripts take memory as well.
    private static var idleLook: Duration { .milliseconds(200) }

    init(limits: ScriptLimits, at now: ContinuousClock.Instant) {
        self.limits = limits
        life = LifeSigns(at: now)
    }

    /// The file that it is reading; nil where it has read all.
    var unread: String? { isLoaded ? nil : reading }

    /// Whether it has not answered for a while.
    func isSilent(at now: ContinuousClock.Instant) -> Bool { life.isSilent(at: now) }

    /// How it is.
    /// - Parameter running: the call whose code runs, at least where the worker is silent.
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

    /// Takes a call.
    /// - Parameters:
    ///   - bytes: the length of its message.
    ///   - gathered: how many bytes are sent before it.
    /// - Returns: its number; nil where the worker takes no more.
    mutating func begin(_ call: Call, bytes: Int, behind gathered: Int) -> Int? {
        guard !isRetiring, verdict == nil, calls.count < limits.callsPerWorker, takes(bytes, behind: gathered)
        else { return nil }
        defer { assert(isSound) }
        calls[nextCall] = call
        nextCall += 1
        return nextCall - 1
    }

    /// Whether a message may be sent behind those that are gathered.
    func takes(_ bytes: Int, behind gathered: Int) -> Bool {
        !isEnded && bytes <= MessageFrames.maximumLength && queuedBytes + gathered + bytes <= Self.maximumQueue
    }

    /// Takes note that bytes wait, or as many fewer.
    mutating func queue(_ bytes: Int) {
        queuedBytes += bytes
        assert(isSound)
    }

    /// Gives a call up: whoever began it hears of it no more.
    /// - Parameters:
    ///   - isLate: whether it took longer than it may. Where it holds up the whole worker, that is ended.
    ///   - begun: the last call that the worker has come to.
    mutating func cancel(_ number: Int, isLate: Bool, begun: Int) -> [Action] {
        guard let call = calls.removeValue(forKey: number) else { return [] }
        defer { assert(isSound) }
        // One that the worker has not come to holds up nothing.
        if isLate, number <= begun { late = (number, call.name.script) }
        return [.send(.cancel(call: number))] + endIfIdle
    }

    /// Takes no further call, and ends with the last one that is under way.
    mutating func retire() -> [Action] {
        isRetiring = true
        return endIfIdle
    }

    /// Takes note that the process is ended, and why.
    mutating func end(because reason: String, running: Int?) {
        if verdict == nil { (verdict, culprit) = (reason, running) }
    }

    /// Why it is ended for the script that holds it up while others wait.
    func reasonToEnd(running: Int?) -> String {
        "\(running.flatMap(call)?.name.script ?? "a script") took all of its time while others waited"
    }

    // MARK: Looks

    /// Whether the system is to be asked about it at a look: at each while it has something to do, as scripts may have
    /// behind their answers.
    mutating func asksSystem(at now: ContinuousClock.Instant) -> Bool {
        let rests = isLoaded && !life.isAsked && !isBusy && answered.isEmpty
        if rests, let lookedAt, now - lookedAt < Self.idleLook { return false }
        lookedAt = now
        return true
    }

    /// Decides on its memory, the time of its calls, and whether it lives.
    /// - Parameter sight: nil where there is no process.
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
        let asks = isLoaded && life.ask(isBusy: isBusy, at: now)
        guard let sight else { return actions }
        if asks { actions.append(.send(.ping)) }
        if let (_, megabytes) = sight.system, megabytes > limits.processMegabytes {
            let limit = "scripts.memoryMegabytes is \(limits.memoryMegabytes)"
            actions.append(.end(because: "it took \(megabytes) MiB of memory, and \(limit)"))
        } else if let stuck {
            actions.append(.end(because: "\(stuck) took all of its time for longer than scripts.timeSeconds"))
        }
        return actions + endIfIdle
    }

    /// Whether it should answer at once.
    private var isBusy: Bool { !calls.isEmpty || late != nil }

    private func stuckScript(running: Int?, at now: ContinuousClock.Instant) -> String? {
        let silence = life.silence(at: now)
        if silence > LifeSigns.patience, let late, running == late.number { return late.script }
        guard silence > limits.time + LifeSigns.patience else { return nil }
        return (running.flatMap(call) ?? callsInOrder.first?.value)?.name.script ?? "a script"
    }

    private var endIfIdle: [Action] { isRetiring && calls.isEmpty && answered.isEmpty ? [.send(.end)] : [] }

    // MARK: What the worker says

    /// Takes note that a message begins or ends to arrive.
    mutating func hear(_ isHeard: Bool) { life.isHeard = isHeard }

    /// Takes what it says.
    mutating func take(_ message: WorkerMessage, at now: ContinuousClock.Instant) -> [Action] {
        assert(!isEnded)
        defer { assert(isSound) }
        let isSign = if case .pong = message { true } else { false }
        life.hear(isSign: isSign, at: now)
        switch message {
        case .reading(let file): reading = file
        case .loaded(let inventory, let words): return [.report(.loaded(inventory, words)), .open]
        case .pong: late = nil
        case .log(let number, let level, let text):
            return [.report(.line(ScriptLogLine(level: level, text: text, call: number.flatMap(call)?.name)))]
        case .broken(let stack):
            if verdict == nil {
                left = "a script left an error to nobody: \(stack)"
                if !isLoaded { verdict = left }
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

    /// Tells a call what its script says. One that is forgotten here needs not be kept there.
    private func tell(_ number: Int, _ event: ScriptWorker.CallEvent) -> Action {
        call(number).map { .tell($0.caller, call: number, event) } ?? .send(.cancel(call: number))
    }

    private var callsInOrder: [(key: Int, value: Call)] { calls.sorted { $0.key < $1.key } }

    /// One that is under way or answered.
    private func call(_ number: Int) -> Call? { calls[number] ?? answered[number] }

    /// Takes calls from now on: it has read the scripts.
    mutating func open() {
        isLoaded = true
        assert(isSound)
    }

    /// Takes note that the process is no more, or never was.
    /// - Parameters:
    ///   - end: what became of it, in words.
    ///   - running: the call whose code ran last.
    ///   - begun: the last call that it has come to.
    ///   - hasActed: whether a call has done something that others can notice, as the process said.
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
        actions.append(.report(.ended(left ?? reason, isExpected: isExpected && left == nil)))
        return actions
    }

    /// What is true between any two calls.
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
    /// Up to which call it is to begin none that it has not begun; nil where it answers.
    /// - Parameter begun: the last call that it has come to.
    func skipped(begun: Int, at now: ContinuousClock.Instant) -> Int? {
        guard isSilent(at: now) else { return nil }
        // Up to the first that stays, as the worker leaves out all that stand before a number.
        return (calls.filter { $0.key > begun && !$0.value.mayMove }.keys.min() ?? nextCall) - 1
    }

    /// Which of those that it has begun are to do nothing more: after a long silence, what has done nothing yet but isn't
    /// what runs.
    func movable(begun: Int, running: Int?, at now: ContinuousClock.Instant) -> [Int] {
        guard let running, life.hasWorked(for: LifeSigns.longSilence, at: now) else { return [] }
        return calls.keys.filter { $0 <= begun && $0 != running && calls[$0]?.mayMove == true && !hasActed($0) }
    }

    /// Whether a call that is under way has asked for something that may have changed something.
    func hasActed(_ number: Int) -> Bool { calls[number]?.hasActed ?? true }

    /// Gives calls to others.
    /// - Parameters:
    ///   - last: up to which the worker begins none that it has not begun.
    ///   - begun: the last that it has begun, or may be about to.
    ///   - moved: those of the begun ones that do nothing more.
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

    /// Up to which call it is to begin none, so that one can be released whose time is over though others' code took it
    /// from it; nil where that is not so.
    func skipped(toRelease number: Int, running: Int?, at now: ContinuousClock.Instant) -> Int? {
        guard calls[number] != nil, isSilent(at: now), let running, running != number else { return nil }
        return nextCall - 1
    }

    /// Gives a call up that has done nothing yet: it can be begun in another worker.
    mutating func release(_ number: Int, begun: Int) -> [Action] {
        assert(!hasActed(number) || number > begun)
        defer { assert(isSound) }
        calls.removeValue(forKey: number)
        if number <= begun { isRetiring = true }
        return [.send(.cancel(call: number))]
    }
}
