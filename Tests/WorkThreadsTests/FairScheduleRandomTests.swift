import SeedTesting
import Testing

@testable import WorkThreads

@Suite struct `Turns that are shared out in any order` {
    @Test func `come once and in time, first to whoever has the least at work`() {
        var random = SeededGenerator.printed("a fair schedule")
        for _ in 0..<300 {
            var run = FairRun(slots: .random(in: 1...4, using: &random), by: random)
            for _ in 0..<300 { run.step() }
            run.end()
            random = run.random
        }
    }
}

/// A schedule whose work comes, begins and ends at random, and what must be true of it at any time.
private struct FairRun {
    private struct Work {
        let number: Int
        let asker: String?
        let ticket: QueueTicket
        let disconnect: ClientDisconnect
    }

    var random: SeededGenerator
    private let slots: Int
    private var schedule: FairSchedule<Int>
    private var now = ContinuousClock.now
    private var waiting: [Work] = []
    /// By the slot that it shares.
    private var running: [[Work]] = []
    private var count = 0

    init(slots: Int, by random: SeededGenerator) {
        self.random = random
        self.slots = slots
        var limits = QueueLimits()
        (limits.waiting, limits.waitingOfOne) = (12, 6)
        schedule = FairSchedule(slots: slots, limits: limits)
    }

    mutating func step() {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<45: add()
        case 45..<70: begin()
        case 70..<85: finish()
        case 85..<90: if !waiting.isEmpty { random.pick(waiting).disconnect.come() }
        default: pass(.milliseconds(.random(in: 0...900, using: &random)))
        }
        check()
    }

    /// Nothing comes any more: all that waits gets its turn or its refusal, and nothing is left behind.
    mutating func end() {
        for _ in 0..<200 {
            begin()
            finish()
            check()
        }
        #expect(waiting.isEmpty && running.isEmpty)
        for _ in 0..<100 { pass(.seconds(10)) }
        #expect(schedule.isIdle)
    }

    private mutating func add() {
        let asker = random.chance(20) ? nil : random.pick(["a", "b", "c", "d"])
        let disconnect = ClientDisconnect()
        let ticket =
            asker.map { QueueTicket(of: $0, limit: .seconds(5), disconnect: disconnect, at: now) }
            ?? QueueTicket(patience: .seconds(4), at: now)
        count += 1
        if let refusal = schedule.add((ticket, count)) {
            #expect(refusal == .full && asker != nil && ticket.retrySeconds >= 1)
        } else {
            waiting.append(Work(number: count, asker: asker, ticket: ticket, disconnect: disconnect))
        }
    }

    private mutating func begin() {
        guard let (_, number) = schedule.next(at: now) else {
            #expect(!waiting.contains { $0.asker == nil })
            return #expect(waiting.isEmpty || running.count == slots, "work waits beside a free slot")
        }
        guard let first = take(number), first.asker != nil else { return }
        running.append([first])
        for (_, number) in schedule.nextBeside(upTo: .random(in: 0...3, using: &random), at: now, { $0 % 3 > 0 }) {
            #expect(number % 3 > 0)
            if let other = take(number) { running[running.count - 1].append(other) }
        }
    }

    private mutating func take(_ number: Int) -> Work? {
        guard let index = waiting.firstIndex(where: { $0.number == number }) else {
            Issue.record("\(number) has two turns, or none to come")
            return nil
        }
        let work = waiting.remove(at: index)
        #expect(!waiting[..<index].contains { $0.asker == work.asker }, "it goes before what came earlier")
        if let asker = work.asker {
            let least = waiting.compactMap(\.asker).map(atWork).min() ?? .max
            #expect(atWork(asker) <= least, "others have less at work")
        }
        return work
    }

    private func atWork(_ asker: String) -> Int { running.joined().count { $0.asker == asker } }

    private mutating func finish() {
        guard !running.isEmpty else { return }
        for work in running.remove(at: .random(in: 0..<running.count, using: &random)) {
            schedule.end(work.ticket, at: now)
        }
    }

    private mutating func pass(_ time: Duration) {
        now += time
        let verdicts = schedule.sweep(at: now)
        for (entry, refusal) in verdicts.refused {
            guard let index = waiting.firstIndex(where: { $0.number == entry.element }) else {
                Issue.record("\(entry.element) is refused and doesn't wait")
                continue
            }
            let work = waiting.remove(at: index)
            #expect((refusal == .disconnected) == (work.disconnect.hasCome && work.asker != nil))
        }
        for (ticket, refusal) in verdicts.stopped {
            #expect(running.joined().contains { $0.ticket === ticket })
            ticket.stop(refusal)
        }
        for work in waiting {
            #expect(
                work.ticket.arrival + work.ticket.patience > now && !work.ticket.isAbandoned, "it waits for too long")
        }
    }

    private func check() {
        let load = schedule.load
        #expect(running.count <= slots && load.running == running.joined().count)
        #expect(load.quick == waiting.count { $0.asker == nil } && load.waiting == waiting.count { $0.asker != nil })
        if running.count < slots, !waiting.isEmpty { #expect(schedule.hasNext) }
    }
}
