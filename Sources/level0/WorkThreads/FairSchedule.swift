import ByteText

/// Decides who is next, who has waited too long, and who has to make room: a `FairQueue` without its threads.
///
/// Of those waiting, the asker with the least work in progress goes first, then the one who has recently used the least
/// time, then the one who arrived first. Quick work, which has no asker, runs in order of arrival; some threads are
/// reserved for it.
struct FairSchedule<Element> {
    typealias Entry = (ticket: QueueTicket, element: Element)

    private struct Asker {
        var waiting: [Entry] = []
        var running = 0
        /// The time that its work has used, less what has been forgiven since.
        var used = Duration.zero
        var forgiven: ContinuousClock.Instant
        var times = WorkTimes()
        var retries = RetryStagger()

        mutating func end(after time: Duration) {
            running -= 1
            used += time
            times.note(time)
        }
    }

    private struct Running {
        let ticket: QueueTicket
        let start: ContinuousClock.Instant
        /// Whether it shares the slot of other work, together with which it is done.
        let isBeside: Bool
        /// The number of tickets that share the slot and the time.
        var width = 1
    }

    /// The results of a tick's check: which tickets to refuse or stop, and why.
    struct Verdicts {
        var refused: [(entry: Entry, refusal: QueueRefusal)] = []
        var stopped: [(ticket: QueueTicket, refusal: QueueRefusal)] = []
    }

    private let slots: Int
    private let limits: QueueLimits
    private var quick: [Entry] = []
    /// The index of the first quick entry that was not taken yet.
    private var head = 0
    private var askers: [ExactText: Asker] = [:]
    private var waiting = 0
    private var running: [Running] = []
    private var busySlots = 0
    /// For all askers together.
    private var times = WorkTimes()
    private var retries = RetryStagger()

    /// - Parameter slots: the number of threads that take work with an asker.
    init(slots: Int, limits: QueueLimits) {
        self.slots = slots
        self.limits = limits
    }

    /// The amount of waiting and running work.
    var load: QueueLoad { QueueLoad(quick: quick.count - head, waiting: waiting, running: running.count) }

    /// Whether there is nothing to check.
    var isIdle: Bool { head == quick.count && waiting == 0 && running.isEmpty && askers.isEmpty }

    /// Whether there is work that may start.
    var hasNext: Bool { head < quick.count || (waiting > 0 && busySlots < slots) }

    /// Accepts work. An asker may queue as much as will get its turns in time, if the duration of its work is known,
    /// and at most three quarters of all places.
    /// - Returns: why it can't be queued; nil if it is.
    mutating func add(_ entry: Entry) -> QueueRefusal? {
        defer { assert(isSound) }
        guard let name = entry.ticket.asker else {
            quick.append(entry)
            return nil
        }
        let own = askers[name]?.waiting.count ?? 0
        guard waiting < limits.waiting, own < limits.waiting - limits.waiting / 4,
            mayWait(entry.ticket, of: name, behind: own)
        else {
            promise(entry.ticket, amongAskers: askersAtWork, at: entry.ticket.arrival)
            return .full
        }
        askers[name, default: Asker(forgiven: entry.ticket.arrival)].waiting.append(entry)
        waiting += 1
        return nil
    }

    private func mayWait(_ ticket: QueueTicket, of name: ExactText, behind own: Int) -> Bool {
        guard own >= min(limits.waitingOfOne, QueueLimits.few) else { return true }
        guard let wait = wait(of: name, amongAskers: askersAtWork) else {
            return own < limits.waitingOfOne
        }
        return wait <= ticket.patience
    }

    /// Returns how long new work of an asker would wait: after its own waiting work, while others get turns too. Nil if
    /// the duration of work is unknown.
    private func wait(of name: ExactText, amongAskers count: Int) -> Duration? {
        let asker = askers[name]
        guard let mean = asker?.times.mean ?? times.mean else { return nil }
        return mean * (asker?.waiting.count ?? 0) * max(1, count) / slots
    }

    private var askersAtWork: Int { askers.values.count { $0.running > 0 || !$0.waiting.isEmpty } }

    /// Tells refused work when to retry: after the waiting work, and after others that were told to retry.
    private mutating func promise(
        _ ticket: QueueTicket, amongAskers count: Int, at now: ContinuousClock.Instant
    ) {
        guard let name = ticket.asker else { return }
        let mean = askers[name]?.times.mean ?? times.mean ?? .zero
        if let wait = wait(of: name, amongAskers: count), askers[name] != nil, waiting < limits.waiting {
            let step = mean * max(1, count) / slots
            ticket.retrySeconds = askers[name]?.retries.seconds(ahead: wait, step: step, at: now) ?? 1
        } else {
            ticket.retrySeconds = retries.seconds(
                ahead: mean * waiting / slots, step: mean / slots, at: now)
        }
    }

    /// Hands out the next work; nil if none may start.
    mutating func next(at now: ContinuousClock.Instant) -> Entry? {
        defer { assert(isSound) }
        guard busySlots < slots, let (name, first) = nextOfAskers else { return takeQuick() }
        busySlots += 1
        begin(first, of: name, at: now, isBeside: false)
        return first
    }

    /// Hands out, to the thread that has just received work with an asker, work that can be done together with it, in
    /// order of turns, up to the first that can't. It takes no additional slot, and shares the time.
    mutating func nextBeside(
        upTo limit: Int, at now: ContinuousClock.Instant, _ isAlike: (Element) -> Bool
    ) -> [Entry] {
        assert(busySlots > 0, "somebody has just begun")
        defer { assert(isSound) }
        // Work for which other threads have slots is left to them, to run concurrently.
        let free = slots - busySlots + 1
        let limit = min(limit, (waiting + free) / free - 1)
        var taken: [Entry] = []
        while taken.count < limit, let (name, first) = nextOfAskers, isAlike(first.element) {
            begin(first, of: name, at: now, isBeside: true)
            taken.append(first)
        }
        for index in running.indices.suffix(taken.count + 1) { running[index].width = taken.count + 1 }
        return taken
    }

    /// The next work with an asker; nil if quick work is next.
    private var nextOfAskers: (name: ExactText, entry: Entry)? {
        guard let name = leastServed, let first = askers[name]?.waiting.first,
            head == quick.count || first.ticket.arrival < quick[head].ticket.arrival
        else { return nil }
        return (name, first)
    }

    private mutating func begin(
        _ entry: Entry, of asker: ExactText, at now: ContinuousClock.Instant, isBeside: Bool
    ) {
        askers[asker]?.waiting.removeFirst()
        askers[asker]?.running += 1
        waiting -= 1
        running.append(Running(ticket: entry.ticket, start: now, isBeside: isBeside))
    }

    /// Hands out quick work similar to some other, from the front of the queue. The rest keeps its order.
    mutating func nextQuick(upTo limit: Int, _ isAlike: (Element) -> Bool) -> [Entry] {
        var taken: [Entry] = []
        var others: [Entry] = []
        var end = head
        while end < quick.count, end - head < QueueLimits.view, taken.count < limit {
            if isAlike(quick[end].element) { taken.append(quick[end]) } else { others.append(quick[end]) }
            end += 1
        }
        quick.replaceSubrange(end - others.count..<end, with: others)
        head = end - others.count
        dropTaken()
        assert(isSound)
        return taken
    }

    /// Records that work is done.
    mutating func end(_ ticket: QueueTicket, at now: ContinuousClock.Instant) {
        guard let name = ticket.asker, let index = running.firstIndex(where: { $0.ticket === ticket }) else { return }
        defer { assert(isSound) }
        let work = running.remove(at: index)
        if !work.isBeside { busySlots -= 1 }
        let time = (now - work.start) / work.width
        askers[name]?.end(after: time)
        times.note(time)
        forget(name, at: now)
    }

    /// Checks the waiting and the running work.
    mutating func sweep(at now: ContinuousClock.Instant) -> Verdicts {
        defer { assert(isSound) }
        var verdicts = Verdicts()
        sweepQuick(at: now, &verdicts)
        for name in Array(askers.keys) { sweepAsker(name, at: now, &verdicts) }
        for work in running
        where work.ticket.stopReason == .disconnected || work.ticket.deadline.map({ $0 <= now }) == true {
            verdicts.stopped.append((work.ticket, work.ticket.stopReason ?? .late))
        }
        makeRoom(at: now, &verdicts)
        let count = verdicts.refused.isEmpty && verdicts.stopped.isEmpty ? 0 : askersAtWork
        for (entry, refusal) in verdicts.refused where refusal == .waited {
            promise(entry.ticket, amongAskers: count, at: now)
        }
        for (ticket, refusal) in verdicts.stopped where refusal == .crowding {
            promise(ticket, amongAskers: count, at: now)
        }
        return verdicts
    }

    private var leastServed: ExactText? {
        guard waiting > 0 else { return nil }
        var best: (key: ExactText, value: Asker)?
        for asker in askers where !asker.value.waiting.isEmpty {
            guard let current = best else {
                best = asker
                continue
            }
            if Self.goes(asker.value, before: current.value) { best = asker }
        }
        return best?.key
    }

    private static func goes(_ one: Asker, before other: Asker) -> Bool {
        if one.running != other.running { return one.running < other.running }
        if one.used != other.used { return one.used < other.used }
        return one.waiting[0].ticket.arrival < other.waiting[0].ticket.arrival
    }

    private mutating func takeQuick() -> Entry? {
        guard head < quick.count else { return nil }
        head += 1
        let entry = quick[head - 1]
        dropTaken()
        return entry
    }

    private mutating func dropTaken() {
        if head == quick.count {
            quick.removeAll(keepingCapacity: true)
            head = 0
        } else if head > 1_000, head * 2 > quick.count {
            quick.removeFirst(head)
            head = 0
        }
    }

    private mutating func sweepQuick(at now: ContinuousClock.Instant, _ verdicts: inout Verdicts) {
        // The first to arrive need not be the least patient, but nearly all have the same patience.
        while head < quick.count, quick[head].ticket.arrival + quick[head].ticket.patience <= now {
            if let late = takeQuick() { verdicts.refused.append((late, .waited)) }
        }
    }

    private mutating func sweepAsker(_ name: ExactText, at now: ContinuousClock.Instant, _ verdicts: inout Verdicts) {
        guard var asker = askers[name] else { return }
        asker.waiting.removeAll { entry in
            guard let refusal = Self.refusal(of: entry.ticket, at: now) else { return false }
            waiting -= 1
            verdicts.refused.append((entry, refusal))
            return true
        }
        asker.used = max(.zero, asker.used - (now - asker.forgiven) / QueueLimits.forgiveness)
        asker.forgiven = now
        askers[name] = asker
        forget(name, at: now)
    }

    /// Returns why a ticket can't wait any longer. If its total time is up, that is the reason, however it was spent.
    private static func refusal(of ticket: QueueTicket, at now: ContinuousClock.Instant) -> QueueRefusal? {
        if ticket.isAbandoned { return .disconnected }
        if let deadline = ticket.deadline, deadline <= now { return .late }
        return ticket.arrival + ticket.patience <= now ? .waited : nil
    }

    private mutating func forget(_ name: ExactText, at now: ContinuousClock.Instant) {
        guard let asker = askers[name], asker.waiting.isEmpty, asker.running == 0,
            asker.used < QueueLimits.negligible, !asker.retries.isAhead(of: now)
        else { return }
        askers[name] = nil
    }

    /// The invariants between calls.
    private var isSound: Bool {
        let slotted = running.count { !$0.isBeside }
        return waiting == askers.values.reduce(0) { $0 + $1.waiting.count } && waiting <= limits.waiting
            && running.count == askers.values.reduce(0) { $0 + $1.running }
            && askers.values.allSatisfy { $0.running >= 0 && $0.used >= .zero }
            && slotted == busySlots && busySlots <= slots && (quick.isEmpty ? head == 0 : head < quick.count)
    }

    private static var nobody: ExactText { ExactText("") }

    /// If askers with no work in progress have waited a while, stops the oldest work of the asker with the most.
    private func makeRoom(at now: ContinuousClock.Instant, _ verdicts: inout Verdicts) {
        guard busySlots >= slots else { return }
        var hungry = askers.values.count { asker in
            asker.running == 0 && (asker.waiting.first.map { $0.ticket.arrival + QueueLimits.hunger <= now } ?? false)
        }
        let ending = running.filter { work in
            work.ticket.stopReason != nil || verdicts.stopped.contains { $0.ticket === work.ticket }
        }
        hungry -= ending.count
        var held = askers.mapValues(\.running)
        for work in ending { held[work.ticket.asker ?? Self.nobody]? -= 1 }
        var candidates = running.filter { work in
            work.start + QueueLimits.hunger <= now && !ending.contains { $0.ticket === work.ticket }
        }
        while hungry > 0 {
            // In order of starting, so that the first of the most crowded asker has run longest.
            let most = candidates.map { held[$0.ticket.asker ?? Self.nobody] ?? 0 }.max() ?? 0
            guard most >= 2,
                let index = candidates.firstIndex(where: { held[$0.ticket.asker ?? Self.nobody] == most })
            else { return }
            let work = candidates.remove(at: index)
            held[work.ticket.asker ?? Self.nobody]? -= 1
            verdicts.stopped.append((work.ticket, .crowding))
            hungry -= 1
        }
    }
}

/// Limits on waiting work, and the constants of a schedule.
public struct QueueLimits: Sendable {
    /// The maximum number of waiting tickets with an asker.
    public var waiting = 1_024
    /// The maximum number of waiting tickets of one asker while their duration is unknown.
    public var waitingOfOne = 256

    /// This many tickets of an asker may always wait: what is known of their duration may be outdated.
    static let few = 32

    /// How long an asker with nothing in progress waits before another with more than one makes room; work that has to
    /// make room has run for at least as long.
    static let hunger = Duration.milliseconds(500)
    /// Of an asker's used time, one part in this many of the elapsed time is forgiven.
    static let forgiveness = 4
    /// Used time below this is forgotten immediately.
    static let negligible = Duration.milliseconds(50)
    /// How much quick work is searched for similar work.
    static let view = 64
    /// How often a queue checks the waiting and the running work.
    static let tick = Duration.milliseconds(100)

    /// Creates the default limits.
    public init() {}
}
