import JSONText
import SeedTesting
import Testing

@testable import Scripts

@Suite struct `A worker to which anything happens` {
    @Test func `ends each call once and in time, and begins none when it goes`() {
        var random = SeededGenerator.printed("a schedule of a worker")
        for _ in 0..<150 {
            var run = WorkerRun(by: random)
            for _ in 0..<300 { run.step() }
            run.end()
            random = run.random
        }
    }
}

/// A schedule with a process, its host and a clock that are moved at random, and what must be true of it at any time.
private struct WorkerRun {
    private typealias Schedule = WorkerSchedule<Int>

    /// A call as its host knows it. Its caller is its number and 1,000, so that none is taken for the other.
    private struct Call {
        let deadline: ContinuousClock.Instant
        /// Whether its host was told that it is late and has not given it up yet.
        var isLate = false
        var wasLate = false
        /// Whether it is answered.
        var isDone = false
        /// Whether it has ended in this worker, and not by an answer.
        var isOver = false
        /// Whether nobody tells it anything more.
        var isForgotten = false
        /// Whether it has asked for a change, or has done something beside that.
        var hasAsked = false
        var hasActed = false
    }

    /// The process, and what it says beside its messages.
    private struct Process {
        enum Task {
            case call(Int)
            case other(ServerMessage)
        }

        var inbox: [Task] = []
        var outbox: [WorkerMessage] = []
        var working: Set<Int> = []
        var running: Int?
        var begun = 0
        var skipped = 0
        var moved: Set<Int> = []
        var isStuck = false
        var hasRead = false
        var work = Duration.zero
        var megabytes = 10
        /// Why it has ended.
        var end: String?
    }

    var random: SeededGenerator
    private var schedule: Schedule
    private var process = Process()
    private var now = ContinuousClock.now
    private var nextLook: ContinuousClock.Instant
    private var calls: [Int: Call] = [:]
    private var reasons: [String] = []
    private var left = false
    private var isRetired = false
    private var isLoaded = false
    private var isFinished = false

    private static let time = Duration.milliseconds(1_500)
    private static let most = 4
    private static let megabytes = 200

    init(by random: SeededGenerator) {
        self.random = random
        var limits = ScriptLimits()
        (limits.time, limits.callsPerWorker, limits.memoryMegabytes) = (Self.time, Self.most, Self.megabytes - 192)
        schedule = Schedule(limits: limits, at: now)
        nextLook = now
    }

    mutating func step() {
        switch Int.random(in: 0..<1_000, using: &random) {
        case 0..<150: beginCall()
        case 150..<400: run()
        case 400..<550: work()
        case 550..<700: listen()
        case 700..<740: giveUpLate()
        case 740..<750: cancel()
        case 750..<760: if !isFinished { giveAway() }
        case 760..<764: if process.running != nil { process.isStuck = true }
        case 764..<774: process.isStuck = false
        case 774..<776: process.megabytes = .random(in: 100...250, using: &random)
        case 776..<778: retire()
        case 778..<780: endStuck()
        case 780..<782: die("signal 9")
        case 782..<784: if !process.isStuck, process.end == nil { process.outbox.append(.broken(stack: "stack")) }
        case 784..<790: finish()
        default: pass(.milliseconds(.random(in: 0...60, using: &random)))
        }
        check()
    }

    /// Nothing comes any more, and a process that is stuck stays so: all calls end, at the latest with it.
    mutating func end() {
        for _ in 0..<400 where !isFinished && unended > 0 {
            run()
            listen()
            giveUpLate()
            if process.end != nil { finish() }
            pass(.milliseconds(50))
            check()
        }
        #expect(unended == 0, "a call is under way for ever")
        retire()
        process.isStuck = false
        for _ in 0..<400 where !isFinished {
            run()
            listen()
            if process.end != nil { finish() }
            pass(.milliseconds(50))
            check()
        }
        #expect(isFinished, "a process that is let go doesn't end")
        #expect(calls.values.allSatisfy { $0.isDone || $0.isOver })
    }

    private var unended: Int { calls.values.count { !$0.isDone && !$0.isOver } }

    // MARK: The host

    private mutating func beginCall() {
        // As its host does, which finds none that takes calls before.
        guard isLoaded else { return }
        let (next, mayMove) = (calls.count + 1, random.chance(80))
        let deadline = now + Self.time
        let bytes = random.chance(2) ? (64 << 20) + 1 : 100
        let isGone = isRetired || isFinished || !reasons.isEmpty
        let number = schedule.begin(
            .sample(next + 1_000, script: "s\(next)", deadline: deadline, mayMove: mayMove), bytes: bytes, behind: 0)
        #expect((number == nil) == (isGone || bytes > 64 << 20 || unended == Self.most))
        guard let number else { return }
        #expect(number == next)
        calls[number] = Call(deadline: deadline)
        process.inbox.append(.call(number))
    }

    /// Does with calls whose time is over what the host does.
    private mutating func giveUpLate() {
        for (number, call) in calls.sorted(by: { $0.key < $1.key }) where call.isLate {
            calls[number]?.isLate = false
            let wasUnended = !call.isDone && !call.isOver
            if let last = isGone ? nil : schedule.skipped(toRelease: number, running: process.running, at: now) {
                process.skipped = max(process.skipped, last)
                if number > process.begun || !schedule.hasActed(number) && move(number) {
                    #expect(wasUnended && !call.hasActed && !call.hasAsked, "what has acted is begun elsewhere")
                    perform(schedule.release(number, begun: process.begun))
                    if number <= process.begun { isRetired = true }
                    calls[number]?.isOver = true
                    continue
                }
            }
            let actions = schedule.cancel(number, isLate: true, begun: isGone ? 0 : process.begun)
            #expect(actions.isEmpty == !wasUnended)
            if wasUnended { calls[number]?.isOver = true }
            perform(actions)
        }
    }

    private mutating func cancel() {
        let under = calls.keys.filter { calls[$0]?.isDone == false && calls[$0]?.isOver == false }.sorted()
        guard !under.isEmpty else { return }
        let number = random.pick(under)
        calls[number]?.isOver = true
        perform(schedule.cancel(number, isLate: false, begun: 0))
    }

    private mutating func giveAway() {
        guard !isGone, let last = schedule.skipped(begun: process.begun, at: now) else { return }
        // It may come to another call before it is told.
        if random.chance(50) { run() }
        process.skipped = max(process.skipped, last)
        let moved = schedule.movable(begun: process.begun, running: process.running, at: now).filter { move($0) }
        if !moved.isEmpty { isRetired = true }
        perform(schedule.giveAway(upTo: last, begun: process.begun, moved: moved, at: now))
    }

    private mutating func move(_ number: Int) -> Bool {
        process.moved.insert(number)
        return calls[number]?.hasActed == false
    }

    private mutating func retire() {
        isRetired = true
        perform(schedule.retire())
    }

    private mutating func endStuck() {
        end(because: schedule.reasonToEnd(running: process.running))
    }

    private mutating func end(because reason: String) {
        schedule.end(because: reason, running: isGone ? nil : process.running)
        if !isFinished, !isGone { die("signal 9") }
        reasons.append(reason)
    }

    /// Whether the process is no more.
    private var isGone: Bool { process.end != nil }

    private mutating func pass(_ time: Duration) {
        let end = now + time
        if process.isStuck, random.chance(90) { process.work += time }
        while nextLook <= end {
            now = nextLook
            nextLook += .milliseconds(50)
            look()
        }
        now = end
    }

    private mutating func look() {
        let isDue = schedule.asksSystem(at: now)
        let system = isDue ? (time: Optional(process.work), megabytes: process.megabytes) : nil
        let running = schedule.isSilent(at: now) ? process.running : nil
        perform(schedule.look(isGone ? nil : (running, system), at: now))
        for (number, call) in calls where !call.isDone && !call.isOver && now > call.deadline {
            #expect(call.isLate, "nobody was told that \(number) is late")
        }
        #expect(!isDue || process.megabytes <= Self.megabytes || isGone, "it keeps more memory than it may have")
        if schedule.condition(running: nil, at: now).stuckFor.map({ $0 > Self.time + .milliseconds(100) }) ?? false {
            #expect(isGone, "it is stuck for longer than it may be")
        }
    }

    private mutating func perform(_ actions: [Schedule.Action]) {
        for action in actions {
            switch action {
            case .tell(let caller, let number, let event):
                #expect(caller == number + 1_000)
                tell(number, event)
            case .report(let event): hear(event)
            case .send(let message): if !isGone { process.inbox.append(.other(message)) }
            case .open:
                schedule.open()
                isLoaded = true
            case .retire: retire()
            case .end(let reason): end(because: reason)
            case .forget(let callers):
                for caller in callers {
                    let isFirst = calls[caller - 1_000]?.isDone == true && calls[caller - 1_000]?.isForgotten == false
                    #expect(isFirst)
                    calls[caller - 1_000]?.isForgotten = true
                }
            }
        }
    }

    private mutating func tell(_ number: Int, _ event: ScriptWorker.CallEvent) {
        guard let call = calls[number] else { return _ = Issue.record("there is no call \(number)") }
        #expect(!call.isOver && !call.isForgotten, "\(number) hears something behind its end")
        switch event {
        case .ask, .operated: break
        case .late:
            #expect(!call.isDone && !call.wasLate && now > call.deadline)
            calls[number]?.isLate = true
            calls[number]?.wasLate = true
        case .done:
            #expect(!call.isDone, "\(number) is answered twice")
            calls[number]?.isDone = true
        case .lost(let reason, let isCulprit):
            #expect(!call.isDone && isFinished && reason == reasons.first ?? process.end)
            #expect(isCulprit || call.hasAsked || call.hasActed, "\(number) could begin elsewhere")
            calls[number]?.isOver = true
        case .moved(let isSuspect):
            #expect(!call.isDone && !call.hasAsked && !call.hasActed, "\(number) has acted and is begun elsewhere")
            #expect(isFinished || process.skipped >= number || process.moved.contains(number))
            #expect(!isSuspect || isFinished && number <= process.begun)
            calls[number]?.isOver = true
        }
    }

    private mutating func hear(_ event: ScriptWorker.Event) {
        switch event {
        case .loaded, .line: break
        case .leaving: left = true
        case .ended(_, let isExpected, _):
            #expect(isExpected == (isRetired && reasons.isEmpty && !left))
            #expect(unended == 0, "a call is forgotten")
        }
    }

    // MARK: The process

    /// Takes the next message.
    private mutating func run() {
        guard !isGone, !process.isStuck else { return }
        guard process.hasRead else {
            process.hasRead = true
            return process.outbox.append(.loaded(ScriptInventory(.null), .null))
        }
        guard !process.inbox.isEmpty else { return }
        switch process.inbox.removeFirst() {
        case .call(let number):
            #expect(number == process.begun + 1)
            process.begun = number
            guard number > process.skipped else { return process.outbox.append(.skipped(call: number)) }
            process.working.insert(number)
            process.running = number
        case .other(.ping): process.outbox.append(.pong)
        case .other(.cancel(let number)): process.working.remove(number)
        case .other(.end):
            #expect(unended == 0 && process.working.isEmpty, "it is sent away with calls under way")
            die("exit code 0")
        case .other: Issue.record("it has no use for that")
        }
    }

    /// Has a call do something.
    private mutating func work() {
        guard !isGone, !process.isStuck, !process.working.isEmpty else { return }
        let number = random.pick(process.working.sorted())
        process.running = number
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<5:
            process.working.remove(number)
            process.outbox.append(.done(call: number, ScriptAnswer(.null)))
        case 5: if !process.moved.contains(number) { calls[number]?.hasActed = true }
        case 6..<8: process.outbox.append(.log(call: number, .info, "text"))
        default:
            let message = #"{"t":"ask","id":\#(number),"k":1,"do":"sql"}"#
            if let ask = (try? JSONReader.parse(Array(message.utf8))).flatMap({ WorkerMessage($0) }) {
                process.outbox.append(ask)
            }
        }
    }

    /// Has the server hear what it has said, part by part.
    private mutating func listen() {
        guard !isFinished, !process.outbox.isEmpty else { return }
        let message = process.outbox.removeFirst()
        schedule.hear(true)
        if case .ask(let number, _) = message, calls[number]?.isOver == false { calls[number]?.hasAsked = true }
        if case .broken(let stack) = message, !isLoaded, reasons.isEmpty {
            reasons.append("a script left an error to nobody: \(stack)")
        }
        perform(schedule.take(message, at: now))
        schedule.hear(false)
    }

    private mutating func die(_ end: String) {
        guard !isGone else { return }
        process.end = end
        // Part of what it has said may be lost.
        process.outbox = Array(process.outbox.prefix(.random(in: 0...4, using: &random)))
    }

    /// Has the server hear of the end.
    private mutating func finish() {
        guard let end = process.end, !isFinished else { return }
        while !process.outbox.isEmpty { listen() }
        isFinished = true
        let acted = calls.filter { $0.value.hasActed }
        perform(
            schedule.finish(
                end, running: process.running, begun: process.begun, hasActed: { acted[$0] != nil }))
    }

    private func check() {
        let condition = schedule.condition(running: process.running, at: now)
        let isGone = isRetired || isFinished || schedule.verdict != nil
        #expect(condition.isGone == isGone)
        #expect(!isGone || condition.load == nil, "it takes calls though it goes")
        if let load = condition.load { #expect(load == unended && isLoaded) }
        #expect((schedule.verdict != nil) == !reasons.isEmpty)
        #expect(schedule.verdict == nil || schedule.verdict == reasons.first)
    }
}
