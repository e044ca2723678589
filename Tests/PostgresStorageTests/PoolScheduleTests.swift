import SeedTesting
import Tables
import Testing

@testable import PostgresStorage

/// Who waits for a connection.
private final class Caller: Sendable, Equatable {
    let use: ConnectionPool.Use

    static func == (one: Caller, other: Caller) -> Bool { one === other }

    init(_ use: ConnectionPool.Use) {
        self.use = use
    }
}

private let full = PostgresFailure.unreachable(detail: "FATAL:  too many connections for role")
private let away = PostgresFailure.unreachable(detail: "connection refused")

@Suite struct `The schedule of connections` {
    private typealias Schedule = PoolSchedule<Int, Caller>

    private let begin = ContinuousClock.now

    private func time(_ milliseconds: Int) -> ContinuousClock.Instant { begin + .milliseconds(milliseconds) }

    /// A schedule with so many idle connections.
    private func schedule(limit: Int, idle: Int = 0) -> Schedule {
        var schedule = Schedule(limit: limit)
        for number in 0..<idle { _ = schedule.made(number) }
        return schedule
    }

    @Test(arguments: [
        (1, ConnectionPool.Use.writing, 1), (1, .reading, 1), (1, .listing, 1), (2, .writing, 2), (2, .reading, 1),
        (2, .listing, 1), (3, .reading, 2), (3, .listing, 1), (8, .writing, 8), (8, .reading, 7), (8, .listing, 6),
    ])
    func `leaves one to those that write, and one more to quick reads`(
        limit: Int, use: ConnectionPool.Use, most: Int
    ) {
        var schedule = schedule(limit: limit, idle: limit)
        let taken = (0..<limit).count { _ in schedule.take(use) != nil }
        #expect(taken == most)
    }

    @Test func `gives out the one that was used last, first to those that wait, in their order`() {
        var schedule = schedule(limit: 2, idle: 2)
        #expect(schedule.take(.writing)?.connection == 1)
        #expect(schedule.take(.writing)?.connection == 0)
        let callers = [Caller(.reading), Caller(.writing)]
        for caller in callers {
            let (result, wakesMaker) = schedule.ask(caller, for: caller.use, at: time(0))
            #expect(result == nil && !wakesMaker)
        }
        var answers = schedule.giveBack(1, from: .writing).answers
        #expect(answers.count == 1 && answers[0].waiter === callers[0])
        #expect((try? answers[0].result.get())?.connection == 1)
        answers = schedule.giveBack(0, from: .writing).answers
        #expect(answers.count == 1 && answers[0].waiter === callers[1])
        #expect(schedule.giveUp(callers[1]) == nil)
    }

    @Test func `has one made while somebody waits whom no idle one serves`() {
        var schedule = schedule(limit: 2)
        #expect(schedule.nextStep(at: time(0)) == .sleep)
        let callers = [Caller(.writing), Caller(.writing), Caller(.writing)]
        let wakes = callers.map { schedule.ask($0, for: .writing, at: time(0)).wakesMaker }
        #expect(wakes == [true, false, false])
        for number in 0..<2 {
            #expect(schedule.nextStep(at: time(1)) == .make)
            #expect(schedule.made(number).answers.map(\.waiter) == [callers[number]])
        }
        #expect(schedule.nextStep(at: time(2)) == .sleep)
        // One that breaks is made anew.
        let actions = schedule.giveBack(nil, from: .writing)
        #expect(actions.answers.isEmpty && actions.wakesMaker)
        #expect(schedule.giveUp(callers[2]) == .unreachable(detail: "no database connection became free in time"))
        #expect(schedule.nextStep(at: time(3)) == .sleep)
    }

    @Test func `has the idle ones looked at once after another broke`() {
        var schedule = schedule(limit: 3, idle: 3)
        _ = schedule.take(.writing)
        _ = schedule.giveBack(nil, from: .writing)
        #expect(schedule.take(.writing)?.mayBeBroken == true)
        _ = schedule.giveBack(1, from: .writing)
        #expect(schedule.take(.writing)?.mayBeBroken == false)
        #expect(schedule.take(.writing)?.mayBeBroken == true)
    }

    @Test func `makes do with what the server gives, and says so once`() {
        var schedule = schedule(limit: 4, idle: 2)
        for _ in 0..<2 { _ = schedule.take(.writing) }
        let callers = [Caller(.listing), Caller(.listing), Caller(.writing)]
        for caller in callers { _ = schedule.ask(caller, for: caller.use, at: time(0)) }
        #expect(schedule.nextStep(at: time(0)) == .make)
        #expect(schedule.failed(full, at: time(0), share: 1).note == .shortage(2, full))
        #expect(schedule.nextStep(at: time(10)) == .pause(until: time(5_000)))
        #expect(schedule.nextStep(at: time(5_000)) == .make)
        #expect(schedule.failed(full, at: time(5_000), share: 1).note == nil)
        // Of two, readers may have one.
        #expect(schedule.giveBack(1, from: .writing).answers.map(\.waiter) == [callers[0]])
        #expect(schedule.giveBack(0, from: .writing).answers.map(\.waiter) == [callers[2]])
        _ = schedule.ask(Caller(.writing), for: .writing, at: time(6_000))
        #expect(schedule.nextStep(at: time(10_000)) == .make)
        #expect(schedule.made(2).note == .plenty(3))
    }

    @Test func `refuses all while the server is away, and tries again after longer and longer pauses`() {
        var schedule = schedule(limit: 2)
        var now = 0
        for pause in [50, 100, 200, 400, 800, 1_000, 1_000] {
            let caller = Caller(.reading)
            #expect(schedule.ask(caller, for: .reading, at: time(now)).result == nil)
            #expect(schedule.nextStep(at: time(now)) == .make)
            let answers = schedule.failed(away, at: time(now), share: 1).answers
            #expect(answers.count == 1 && answers[0].waiter === caller)
            #expect(throws: away) { try answers[0].result.get() }
            #expect(schedule.outage == away)
            #expect(schedule.ask(caller, for: .reading, at: time(now + pause - 1)).result != nil)
            now += pause
        }
        #expect(schedule.failed(away, at: time(now), share: 0.5).answers.isEmpty)
        #expect(schedule.ask(Caller(.reading), for: .reading, at: time(now + 500)).result == nil)
        _ = schedule.made(0)
        #expect(schedule.outage == nil && schedule.load.reading == 1)
    }

    @Test func `tells all that wait when it is closed, and takes nothing back`() {
        var schedule = schedule(limit: 3, idle: 3)
        for _ in 0..<2 { #expect(schedule.take(.reading) != nil) }
        let caller = Caller(.reading)
        #expect(schedule.ask(caller, for: .reading, at: time(0)).result == nil)
        let (actions, idle) = schedule.close()
        #expect(actions.answers.map(\.waiter) == [caller] && actions.wakesMaker)
        #expect(idle.map(\.connection) == [0])
        #expect(schedule.nextStep(at: time(1)) == .end)
        #expect(schedule.giveBack(2, from: .reading).answers.isEmpty)
        #expect(schedule.take(.writing) == nil)
        #expect(schedule.ask(caller, for: .writing, at: time(1)).result != nil)
        #expect(schedule.load.idle == 0)
    }

    @Test func `keeps its promises whatever happens in whatever order`() {
        var random = SeededGenerator.printed("a schedule of connections")
        for _ in 0..<300 {
            var run = PoolRun(limit: .random(in: 1...6, using: &random), by: random)
            for _ in 0..<200 { run.step() }
            run.end()
            random = run.random
        }
    }
}

/// A schedule with callers, a server and a clock that are moved at random, and what must be true of it at any time.
private struct PoolRun {
    private typealias Schedule = PoolSchedule<Int, Caller>

    private enum Maker: Equatable {
        case coming, sleeping, making
        case pausing(until: ContinuousClock.Instant)
    }

    var random: SeededGenerator
    private let limit: Int
    private var schedule: Schedule
    private var maker = Maker.coming
    private var now = ContinuousClock.now
    private var waiting: [Caller] = []
    private var inUse: [(connection: Int, use: ConnectionPool.Use)] = []
    private var idle: Set<Int> = []
    /// Those idle ones beside which another has broken.
    private var suspects: Set<Int> = []
    private var count = 0
    /// How many the server gives; none where it is away.
    private var given: Int

    init(limit: Int, by random: SeededGenerator) {
        self.random = random
        self.limit = limit
        given = limit
        schedule = Schedule(limit: limit)
    }

    mutating func step() {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<35: ask()
        case 35..<60: giveBack()
        case 60..<65: giveUp()
        case 65..<85: make()
        case 85..<90: given = .random(in: 0...limit, using: &random)
        default: now += .milliseconds(.random(in: 0...500, using: &random))
        }
        check()
    }

    /// Nobody comes any more. Whoever waits gets a connection from a server that is well, or hears that it is over.
    mutating func end() {
        given = limit
        if random.chance(50) {
            for _ in 0..<500 where !waiting.isEmpty {
                giveBack()
                make()
                now += .seconds(1)
                check()
            }
            #expect(waiting.isEmpty, "somebody waits for ever")
        }
        let (actions, rest) = schedule.close()
        #expect(Set(rest.map(\.connection)) == idle && actions.wakesMaker)
        #expect(actions.answers.count == waiting.count)
        for (caller, result) in actions.answers {
            #expect(waiting.contains { $0 === caller })
            #expect(throws: PostgresFailure.table(.closed)) { try result.get() }
        }
        if maker == .making { #expect(schedule.made(count + 1).answers.isEmpty) }
        #expect(schedule.nextStep(at: now) == .end)
    }

    private mutating func ask() {
        let caller = Caller(random.pick([.reading, .writing, .listing]))
        if let grant = schedule.take(caller.use) { return begin(grant, caller.use) }
        let (result, wakesMaker) = schedule.ask(caller, for: caller.use, at: now)
        if wakesMaker { wakeMaker() }
        switch result {
        case nil: waiting.append(caller)
        case .success(let grant): begin(grant, caller.use)
        case .failure: #expect(inUse.isEmpty && idle.isEmpty)
        }
    }

    private mutating func begin(_ grant: Schedule.Grant, _ use: ConnectionPool.Use) {
        #expect(idle.remove(grant.connection) != nil, "a connection has two users")
        #expect((suspects.remove(grant.connection) != nil) == grant.mayBeBroken)
        inUse.append((grant.connection, use))
    }

    private mutating func giveBack() {
        guard !inUse.isEmpty else { return }
        let (connection, use) = inUse.remove(at: .random(in: 0..<inUse.count, using: &random))
        let isBroken = random.chance(15)
        if isBroken { suspects = idle } else { idle.insert(connection) }
        perform(schedule.giveBack(isBroken ? nil : connection, from: use))
    }

    private mutating func giveUp() {
        guard !waiting.isEmpty else { return }
        let caller = waiting.remove(at: .random(in: 0..<waiting.count, using: &random))
        #expect(schedule.giveUp(caller) != nil)
        #expect(schedule.giveUp(caller) == nil)
    }

    private mutating func wakeMaker() {
        #expect(maker == .sleeping)
        maker = .coming
    }

    private mutating func make() {
        if case .pausing(let end) = maker, end <= now { maker = .coming }
        switch maker {
        case .coming:
            switch schedule.nextStep(at: now) {
            case .make: maker = .making
            case .pause(let end): maker = .pausing(until: end)
            case .sleep: maker = .sleeping
            case .end: Issue.record("the maker ends before the schedule is closed")
            }
        case .making:
            maker = .coming
            if given > inUse.count + idle.count {
                count += 1
                idle.insert(count)
                perform(schedule.made(count))
            } else {
                let share = Double.random(in: 0.5...1, using: &random)
                perform(schedule.failed(given == 0 ? away : full, at: now, share: share))
            }
        case .pausing, .sleeping: break
        }
    }

    private mutating func perform(_ actions: Schedule.Actions) {
        for (caller, result) in actions.answers {
            guard let index = waiting.firstIndex(where: { $0 === caller }) else {
                Issue.record("somebody is answered who doesn't wait")
                continue
            }
            #expect(!waiting[..<index].contains { $0.use == caller.use }, "somebody came later and goes before")
            waiting.remove(at: index)
            if case .success(let grant) = result { begin(grant, caller.use) }
        }
        if actions.wakesMaker { wakeMaker() }
    }

    private func check() {
        let load = schedule.load
        #expect(inUse.count + idle.count <= limit)
        #expect(load.idle == idle.count && load.waiting == waiting.count)
        for (use, count) in [
            (ConnectionPool.Use.reading, load.reading), (.listing, load.listing), (.writing, load.writing),
        ] { #expect(inUse.count { $0.use == use } == count) }
        #expect(load.reading + load.listing <= max(limit - 1, 1) && load.listing <= max(limit - 2, 1))
        // Readers may have to leave idle ones alone; who writes takes any.
        #expect(idle.isEmpty || !waiting.contains { $0.use == .writing })
        // Somebody makes connections where there are none.
        if idle.isEmpty, inUse.isEmpty, !waiting.isEmpty { #expect(maker != .sleeping) }
    }
}
