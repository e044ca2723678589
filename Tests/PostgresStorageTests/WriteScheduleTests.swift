import SeedTesting
import StorageTesting
import Tables
import Testing

@testable import PostgresStorage

@Suite struct `The schedule of writes` {
    private typealias Schedule = WriteSchedule<Int, String>

    private let begin = ContinuousClock.now
    private let patience = Duration.seconds(5)
    private let a: Identifier = "a"
    private let b: Identifier = "b"
    private let c: Identifier = "c"

    private func time(_ milliseconds: Int) -> ContinuousClock.Instant { begin + .milliseconds(milliseconds) }

    private func schedule(threads: Int = 1, missing: Int = 0) -> Schedule {
        var schedule = Schedule(patience: patience, threads: threads)
        for _ in missing..<threads { schedule.arrive() }
        return schedule
    }

    private func work(_ schedule: inout Schedule) throws -> Schedule.Work {
        guard case .work(let work) = schedule.next() else { throw Nothing() }
        return work
    }

    private struct Nothing: Error {}

    /// Threads that find nothing to do.
    private func wait(_ schedule: inout Schedule, threads: Int = 1) throws {
        for _ in 0..<threads { guard case .wait = schedule.next() else { throw Nothing() } }
    }

    @Test func `gives all writes of a table to one thread, in the order of their arrival`() throws {
        var schedule = schedule(threads: 2)
        for number in 0..<3 { _ = schedule.add(number, to: a, at: time(number)) }
        let first = try work(&schedule)
        #expect(first.writes.map(\.write) == [0, 1, 2])
        _ = schedule.add(3, to: "A", at: time(3))
        try wait(&schedule)
        _ = schedule.finish(first, .nothing, at: time(4))
        let second = try work(&schedule)
        #expect(second.writes.map(\.write) == [3])
    }

    @Test func `serves tables in the order of their first writes, each with 256 at most`() throws {
        var schedule = schedule()
        for number in 0..<300 { _ = schedule.add(number, to: a, at: time(0)) }
        _ = schedule.add(300, to: b, at: time(0))
        var seen: [Range<Int>] = []
        for _ in 0..<3 {
            let work = try work(&schedule)
            seen.append(work.writes[0].write..<work.writes[0].write + work.writes.count)
            _ = schedule.finish(work, .nothing, at: time(1))
        }
        #expect(seen == [0..<256, 300..<301, 256..<300])
    }

    @Test func `wakes a thread for each table that has work, unless one comes by itself`() throws {
        var schedule = schedule(threads: 3)
        #expect(schedule.add(0, to: a, at: time(0)).wakes == 0)
        let first = try work(&schedule)
        try wait(&schedule, threads: 2)
        #expect(schedule.add(1, to: a, at: time(1)).wakes == 0)
        #expect(schedule.add(2, to: b, at: time(1)).wakes == 1)
        #expect(schedule.add(3, to: b, at: time(1)).wakes == 0)
        // The thread that ends its work takes what came meanwhile, and the woken one takes the other table.
        #expect(schedule.finish(first, .nothing, at: time(2)).wakes == 0)
        #expect(schedule.add(4, to: c, at: time(2)).wakes == 1)
    }

    @Test func `waits for no thread that the system had no room for`() throws {
        var schedule = schedule(threads: 3, missing: 1)
        try wait(&schedule, threads: 2)
        #expect(schedule.add(0, to: a, at: time(0)).wakes == 1)
    }

    @Test func `lets a locked table wait apart, and gives it half of the threads at most`() throws {
        var schedule = schedule(threads: 2)
        for (number, table) in [a, b].enumerated() { _ = schedule.add(number, to: table, at: time(0)) }
        _ = schedule.add(2, to: a, at: time(0))
        let works = [try work(&schedule), try work(&schedule)]
        // The first write was done, the second met the lock.
        let actions = schedule.finish(works[0], .locked(1, reason: "held by X"), at: time(10))
        #expect(actions.refused.isEmpty && actions.timer == time(110))
        #expect(schedule.finish(works[1], .locked(1, reason: "held by Y"), at: time(11)).timer == nil)
        try wait(&schedule, threads: 2)
        let tick = schedule.tick(time(110), at: time(111))
        #expect(tick.wakes == 2 && tick.timer == nil)
        let again = try work(&schedule)
        #expect(again.writes.map(\.write) == [2] && again.wasHeldUp)
        try wait(&schedule)
        _ = schedule.add(3, to: c, at: time(112))
        let third = try work(&schedule)
        #expect(third.writes.map(\.write) == [3])
        _ = schedule.finish(again, .nothing, at: time(113))
        let last = try work(&schedule)
        #expect(last.writes.map(\.write) == [1])
    }

    @Test func `asks what became of a table's last transaction before it writes there again`() throws {
        var schedule = schedule()
        for number in 0..<3 { _ = schedule.add(number, to: a, at: time(0)) }
        let first = try work(&schedule)
        _ = schedule.finish(first, .doubt("t", 1), at: time(10))
        try wait(&schedule)
        _ = schedule.tick(time(110), at: time(110))
        let question = try work(&schedule)
        #expect(question.doubt == "t" && question.writes.isEmpty)
        _ = schedule.finish(question, .nothing, at: time(120))
        let rest = try work(&schedule)
        #expect(rest.doubt == nil && rest.writes.map(\.write) == [2])
    }

    @Test func `refuses what waits for too long, and says what kept it`() throws {
        var schedule = schedule()
        #expect(schedule.add(0, to: a, at: time(0)).timer == time(5_000))
        let first = try work(&schedule)
        #expect(schedule.add(1, to: a, at: time(100)).timer == nil)
        #expect(schedule.add(2, to: b, at: time(4_000)).timer == nil)
        var actions = schedule.tick(time(5_000), at: time(5_001))
        #expect(actions.refused.isEmpty && actions.timer == time(5_100))
        actions = schedule.finish(first, .locked(1, reason: "held by X"), at: time(5_050))
        #expect(actions.refused.map(\.write) == [0] && actions.timer == nil)
        actions = schedule.tick(time(5_100), at: time(5_100))
        #expect(actions.refused.map(\.reason) == [.unavailable(detail: "held by X")] && actions.timer == time(5_150))
        actions = schedule.tick(time(5_150), at: time(5_150))
        #expect(actions.refused.isEmpty && actions.timer == time(9_000))
        actions = schedule.tick(time(9_000), at: time(9_000))
        #expect(actions.refused.map(\.write) == [2] && actions.timer == nil)
        #expect(actions.refused.map(\.reason) == [.unavailable(detail: "no database connection became free in time")])
    }

    @Test func `hands out what waits once it is closed, and then ends all threads`() throws {
        var schedule = schedule(threads: 3)
        for number in 0..<2 { _ = schedule.add(number, to: a, at: time(0)) }
        let first = try work(&schedule)
        try wait(&schedule, threads: 2)
        #expect(schedule.close().wakes == 2)
        #expect(schedule.add(2, to: a, at: time(1)).refused.map(\.reason) == [.closed])
        _ = schedule.finish(first, .locked(1, reason: "held by X"), at: time(2))
        try wait(&schedule, threads: 3)
        #expect(schedule.tick(time(102), at: time(102)).wakes == 1)
        let last = try work(&schedule)
        _ = schedule.finish(last, .nothing, at: time(103))
        guard case .end(wakes: 2) = schedule.next() else { throw Nothing() }
    }

    @Test func `keeps its promises whatever happens in whatever order`() {
        var random = SeededGenerator.printed("a schedule of writes")
        for _ in 0..<300 {
            var run = ScheduleRun(threads: .random(in: 1...5, using: &random), by: random)
            for _ in 0..<200 { run.step() }
            run.end()
            random = run.random
        }
    }
}

/// A schedule with threads, timers and a clock that are moved at random, and what must be true of it at any time.
private struct ScheduleRun {
    private typealias Schedule = WriteSchedule<Int, Int>

    private enum Thread {
        case coming, idle, ended
        case busy(Schedule.Work, table: Int)
    }

    var random: SeededGenerator
    private var schedule: Schedule
    private var threads: [Thread]
    private var timers: [ContinuousClock.Instant] = []
    private var now = ContinuousClock.now
    private var isClosed = false
    /// Those that wait, by table and in the order of their arrival, and until when.
    private var waiting: [[(write: Int, deadline: ContinuousClock.Instant)]]
    /// Until when a table that could not go on waits.
    private var heldUp: [ContinuousClock.Instant?]
    private var doubts: [Int?]
    private var doubtCount = 0
    private var count = 0
    private var answered: Set<Int> = []

    private static let patience = Duration.milliseconds(400)
    private static let tables: [Identifier] = ["a", "b", "c", "d"]

    init(threads count: Int, by random: SeededGenerator) {
        self.random = random
        schedule = Schedule(patience: Self.patience, threads: count)
        for _ in 0..<count { schedule.arrive() }
        threads = Array(repeating: .coming, count: count)
        waiting = Self.tables.map { _ in [] }
        heldUp = Self.tables.map { _ in nil }
        doubts = Self.tables.map { _ in nil }
    }

    mutating func step() {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<40: add()
        case 40..<70: come()
        case 70..<90: finish()
        default: pass(.milliseconds(.random(in: 0...60, using: &random)))
        }
        check()
    }

    /// Nothing comes any more: all that waits gets its answer, and all threads end.
    mutating func end() {
        isClosed = true
        perform(schedule.close())
        for _ in 0..<2_000 where !threads.allSatisfy({ if case .ended = $0 { true } else { false } }) {
            come()
            finish()
            pass(.milliseconds(10))
            check()
        }
        #expect(answered.count == count)
        #expect(threads.allSatisfy { if case .ended = $0 { true } else { false } })
    }

    private mutating func answer(_ write: Int) {
        #expect(answered.insert(write).inserted, "\(write) is answered twice")
    }

    private mutating func perform(_ actions: Schedule.Actions) {
        for _ in 0..<actions.wakes { wake() }
        if let timer = actions.timer { timers.append(timer) }
        for (write, reason) in actions.refused {
            answer(write)
            if reason == .closed { continue }
            for table in waiting.indices {
                guard let index = waiting[table].firstIndex(where: { $0.write == write }) else { continue }
                #expect(index == 0 && waiting[table][0].deadline <= now)
                waiting[table].remove(at: index)
            }
        }
    }

    private mutating func wake() {
        let idle = threads.indices.filter { if case .idle = threads[$0] { true } else { false } }
        #expect(!idle.isEmpty, "nobody is there to be woken")
        if !idle.isEmpty { threads[random.pick(idle)] = .coming }
    }

    private mutating func add() {
        let table = Int.random(in: 0..<Self.tables.count, using: &random)
        waiting[table].append((count, now + Self.patience))
        count += 1
        perform(schedule.add(count - 1, to: Self.tables[table], at: now))
    }

    private mutating func come() {
        let coming = threads.indices.filter { if case .coming = threads[$0] { true } else { false } }
        guard !coming.isEmpty else { return }
        let thread = random.pick(coming)
        switch schedule.next() {
        case .wait: threads[thread] = .idle
        case .end(let wakes):
            #expect(isClosed && waiting.allSatisfy(\.isEmpty))
            threads[thread] = .ended
            for _ in 0..<wakes { wake() }
        case .work(let work):
            let table = waiting.indices.first { table in
                work.doubt.map { $0 == doubts[table] } ?? (waiting[table].first?.write == work.writes.first?.write)
            }
            guard let table else {
                Issue.record("there is no such work")
                return
            }
            #expect(!busy.contains(table), "two threads write to one table")
            #expect(heldUp[table].map { $0 <= now } ?? true)
            #expect(work.doubt == doubts[table] && work.wasHeldUp == (heldUp[table] != nil))
            #expect(work.writes.map(\.write) == waiting[table].prefix(work.writes.count).map(\.write))
            waiting[table].removeFirst(work.writes.count)
            threads[thread] = .busy(work, table: table)
        }
    }

    private var busy: [Int] {
        threads.compactMap { if case .busy(_, let table) = $0 { table } else { nil } }
    }

    private mutating func finish() {
        let busy = threads.indices.filter { if case .busy = threads[$0] { true } else { false } }
        guard !busy.isEmpty else { return }
        let thread = random.pick(busy)
        guard case .busy(let work, let table) = threads[thread] else { return }
        threads[thread] = .coming
        let left = Int.random(in: 0...work.writes.count, using: &random)
        (heldUp[table], doubts[table]) = (nil, nil)
        let rest: Schedule.Rest
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<2: rest = .locked(left, reason: "held")
        case 2:
            doubtCount += 1
            rest = .doubt(work.doubt ?? doubtCount, left)
            doubts[table] = work.doubt ?? doubtCount
        default: rest = .nothing
        }
        if case .nothing = rest {
            for (write, _) in work.writes { answer(write) }
        } else {
            for (write, _) in work.writes.dropLast(left) { answer(write) }
            waiting[table].insert(contentsOf: work.writes.suffix(left), at: 0)
            heldUp[table] = now + Schedule.pause
        }
        perform(schedule.finish(work, rest, at: now))
    }

    /// Lets time pass, in which timers go off, each at its time.
    private mutating func pass(_ time: Duration) {
        let end = now + time
        while let timer = timers.min(), timer <= end {
            now = max(now, timer)
            timers.removeAll { $0 == timer }
            perform(schedule.tick(timer, at: now))
        }
        now = end
    }

    private func check() {
        #expect(schedule.waitingCount == waiting.reduce(0) { $0 + $1.count })
        #expect(waiting.allSatisfy { $0.first.map { $0.deadline > now } ?? true }, "a write waits for too long")
        let held = threads.count { if case .busy(let work, _) = $0 { work.wasHeldUp } else { false } }
        #expect(held <= max(threads.count / 2, 1))
        guard threads.contains(where: { if case .idle = $0 { true } else { false } }),
            !threads.contains(where: { if case .coming = $0 { true } else { false } })
        else { return }
        for table in waiting.indices where !busy.contains(table) && !(waiting[table].isEmpty && doubts[table] == nil) {
            let mayBegin = heldUp[table].map { $0 <= now && held < max(threads.count / 2, 1) } ?? true
            #expect(!mayBegin, "a thread is idle beside work that may begin")
        }
    }
}
