import JSONText
import SeedTesting
import Testing

@testable import Scripts

@Suite struct `The schedule of a pool of workers` {
    private typealias Condition = ScriptWorker.Condition

    private let begin = ContinuousClock.now

    private func time(_ milliseconds: Int) -> ContinuousClock.Instant { begin + .milliseconds(milliseconds) }

    private func schedule(size: Int, restsAfter: Duration? = nil) -> WorkerPoolSchedule {
        var schedule = WorkerPoolSchedule(size: size, restsAfter: restsAfter, at: begin)
        #expect(schedule.fill(at: begin) == (0..<size).map { .begin($0 + 1) })
        return schedule
    }

    private static let idle = Condition(load: 0)
    private static let busy = Condition(load: 2)
    private static let reading = Condition()
    private static let silent = Condition(load: 0, isSilent: true)
    private static let gone = Condition(isGone: true)
    private static func stuck(_ milliseconds: Int, isLooping: Bool = true) -> Condition {
        Condition(load: 1, isSilent: true, stuckFor: .milliseconds(milliseconds), isLooping: isLooping)
    }

    @Test(arguments: [
        ([], nil), ([reading, gone], nil), ([busy, idle], 2), ([busy, Condition(load: 1), silent], 2),
        ([silent, stuck(200)], 1), ([stuck(200), busy], 2), ([idle, idle], 1),
    ])
    private func `gives a call to who has least to do, but for those that say nothing`(
        conditions: [Condition], free: Int?
    ) {
        var schedule = schedule(size: conditions.count)
        #expect(schedule.free(among: numbered(conditions), at: begin) == free)
    }

    @Test(arguments: [
        ([silent, silent], []), ([silent, reading], []), ([silent, gone], []), ([silent, idle, stuck(1)], [1, 3]),
    ])
    private func `has those that say nothing give their calls to others that answer`(
        conditions: [Condition], silent: [Int]
    ) {
        #expect(WorkerPoolSchedule.silent(among: numbered(conditions)) == silent)
    }

    @Test(
        arguments: [
            ([idle, busy], []), ([reading, reading], []),
            // In the place of one that is stuck or goes, another is begun, up to twice as many.
            ([stuck(200), busy], [.begin(3)]), ([gone, busy], [.begin(3)]), ([gone, gone], [.begin(3), .begin(4)]),
            ([stuck(200), stuck(200)], [.begin(3), .begin(4)]), ([stuck(200), busy, reading], []),
            ([stuck(200), stuck(300), stuck(900), reading], [.endStuck(3)]),
            ([stuck(200), stuck(300), stuck(900, isLooping: false), gone], [.endStuck(2)]),
            ([gone, gone, gone, busy], []),
            // Too many, of those that have read the scripts.
            ([busy, busy, busy], []), ([idle, idle, reading], []), ([idle, busy, busy], [.retire(1)]),
            ([idle, stuck(200), idle, busy], [.retire(3)]),
        ] as [([Condition], [WorkerPoolSchedule.Action])])
    private func `begins those that are missing, and lets one go that is too many`(
        conditions: [Condition], actions: [WorkerPoolSchedule.Action]
    ) {
        var schedule = schedule(size: 2)
        // Those beside the two were begun while others were stuck.
        for _ in conditions.dropFirst(2) { _ = schedule.fill(able: 1, at: begin) }
        #expect(schedule.look(at: numbered(conditions), at: begin) == actions)
    }

    private func numbered(_ conditions: [Condition]) -> WorkerPoolSchedule.Conditions {
        Dictionary(uniqueKeysWithValues: conditions.enumerated().map { ($0.offset + 1, $0.element) })
    }

    @Test func `begins those that can't read their scripts after longer and longer pauses`() {
        var schedule = schedule(size: 1)
        var now = 0
        for (index, pause) in [0, 0, 400, 800, 1_600, 3_200, 5_000, 5_000].enumerated() {
            #expect(schedule.isFailing == (index > 2))
            schedule.take(.ended("end \(index)", isExpected: false), of: index + 1, at: time(now))
            #expect(schedule.lastEnd == "end \(index)")
            if pause > 0 { #expect(schedule.fill(able: 0, at: time(now + pause - 1)) == []) }
            now += pause
            #expect(schedule.fill(able: 0, at: time(now)) == [.begin(index + 2)])
        }
        schedule.take(.loaded(ScriptInventory(.null), .null), of: 9, at: time(now))
        #expect(!schedule.isFailing)
        schedule.take(.ended("exit code 0", isExpected: true), of: 9, at: time(now))
        #expect(schedule.lastEnd == "end 7" && !schedule.isFailing)
        #expect(schedule.fill(able: 0, at: time(now)) == [.begin(10)])
    }

    private func read(_ schedule: inout WorkerPoolSchedule, _ number: Int, at milliseconds: Int) {
        schedule.take(.loaded(ScriptInventory(.null), .null), of: number, at: time(milliseconds))
    }

    @Test func `begins those after longer and longer pauses that end soon after reading`() {
        var schedule = schedule(size: 1)
        var now = 0
        for (index, pause) in [0, 0, 400, 800, 1_600, 3_200, 5_000, 5_000].enumerated() {
            read(&schedule, index + 1, at: now)
            #expect(!schedule.isFailing)
            now += 9_999
            schedule.take(.ended("end", isExpected: false, .serving(hadCalls: false)), of: index + 1, at: time(now))
            #expect(schedule.isFailing == (index > 1) && schedule.trouble == "end")
            if pause > 0 { #expect(schedule.look(at: [:], at: time(now + pause - 1)) == []) }
            now += pause
            #expect(schedule.look(at: [:], at: time(now)) == [.begin(index + 2)])
        }
        // Where calls come to them in between, the others wait for the next.
        read(&schedule, 9, at: now)
        #expect(schedule.free(among: [9: Self.idle], at: time(now)) == 9)
        schedule.take(.ended("end", isExpected: false, .serving(hadCalls: false)), of: 9, at: time(now))
        #expect(!schedule.isFailing && schedule.fill(able: 0, at: time(now + 4_999)) == [])
        // One that lives for a while is as good as any.
        #expect(schedule.fill(able: 0, at: time(now + 5_000)) == [.begin(10)])
        read(&schedule, 10, at: now + 5_000)
        #expect(schedule.look(at: [10: Self.idle], at: time(now + 14_999)) == [] && schedule.trouble == "end")
        #expect(schedule.look(at: [10: Self.idle], at: time(now + 15_000)) == [] && schedule.trouble == nil)
        schedule.take(.ended("end", isExpected: false, .serving(hadCalls: false)), of: 10, at: time(now + 15_001))
        #expect(schedule.trouble == nil && schedule.fill(able: 0, at: time(now + 15_001)) == [.begin(11)])
    }

    @Test func `begins others at once for those that calls have ended`() {
        var schedule = schedule(size: 1)
        for number in 1...20 {
            read(&schedule, number, at: number)
            let end = schedule.take(
                .ended("exit code 1", isExpected: false, .serving(hadCalls: true)), of: number, at: time(number))
            #expect(end == "a worker ended, and another takes its place: exit code 1")
            #expect(!schedule.isFailing && schedule.fill(able: 0, at: time(number)) == [.begin(number + 1)])
        }
    }

    @Test func `does not count for those that fail who was there before`() {
        var schedule = schedule(size: 2)
        read(&schedule, 1, at: 0)
        for (number, pause) in [(2, 0), (3, 0), (4, 400), (5, 800)] {
            schedule.take(.ended("end", isExpected: false, .reading("a.js")), of: number, at: time(20_000))
            if pause > 0 { #expect(schedule.look(at: [1: Self.idle], at: time(20_000 + pause - 1)) == []) }
            #expect(schedule.look(at: [1: Self.idle], at: time(20_000 + pause)) == [.begin(number + 1)])
            #expect(!schedule.isFailing)
        }
    }

    @Test func `begins none for a while after one that did not come to the end of a file`() {
        var schedule = schedule(size: 2)
        schedule.take(.ended("a.js runs on", isExpected: false, .endless("a.js")), of: 1, at: begin)
        #expect(schedule.isFailing && schedule.trouble == "a.js runs on" && schedule.lastFile == "a.js")
        #expect(schedule.look(at: [2: Self.reading], at: time(29_999)) == [])
        #expect(schedule.look(at: [2: Self.reading], at: time(30_000)) == [.begin(3)])
        read(&schedule, 3, at: 30_100)
        #expect(!schedule.isFailing)
    }

    @Test func `has those stay longer and longer whose reading leaves an error to nobody`() {
        var schedule = schedule(size: 1)
        for (index, stay) in [0, 0, 0, 400, 800, 1_600, 3_200, 5_000, 5_000].enumerated() {
            #expect(schedule.stay == .milliseconds(stay))
            read(&schedule, index + 1, at: index * 6_000)
            let end = time(index * 6_000 + stay)
            schedule.take(.leaving, of: index + 1, at: end)
            #expect(schedule.fill(able: 0, at: end) == [.begin(index + 2)])
            let words = schedule.take(
                .ended("error", isExpected: false, .serving(hadCalls: true)), of: index + 1, at: end)
            // It is said once, and again once it goes on.
            #expect((words != nil) == (index < 3) && words?.hasSuffix(": error") != false)
            #expect(!schedule.isFailing && schedule.trouble == "error")
        }
        // An error that comes later is one of its own.
        read(&schedule, 10, at: 60_000)
        schedule.take(.leaving, of: 10, at: time(70_000))
        #expect(schedule.look(at: [10: Self.gone], at: time(70_000)) == [.begin(11)])
        #expect(schedule.trouble == nil && schedule.stay == .zero)
    }

    @Test func `says once why workers end one after the other`() {
        var schedule = schedule(size: 1)
        let said = ["a", "a", "a", "a", "b", "b", "a"].enumerated().map { index, reason in
            _ = schedule.fill(at: time(index * 6_000))
            return schedule.take(
                .ended(reason, isExpected: false, .reading("api/x.js")), of: index + 1, at: time(index * 6_000))
        }
        let (first, many) = ("a worker ended, and another takes its place", "workers end one after the other")
        func words(_ reason: String) -> String { ": its process ended while it read api/x.js: \(reason)" }
        #expect(said[..<2] == [first + words("a"), first + words("a")])
        let others = "\(many), and others are begun after pauses"
        #expect(said[2...] == [others + words("a"), nil, others + words("b"), nil, others + words("a")])
        #expect(schedule.lastFile == "api/x.js")
        _ = schedule.fill(at: time(60_000))
        schedule.close()
        #expect(schedule.take(.ended("c", isExpected: false), of: 8, at: time(60_000)) == nil)
        #expect(schedule.lastEnd == "c" && schedule.lastFile == nil)
    }

    @Test func `has no workers after a while without calls, until it is asked for some`() {
        var schedule = schedule(size: 1, restsAfter: .seconds(60))
        #expect(schedule.look(at: [1: Self.idle], at: time(60_000)) == [])
        #expect(schedule.look(at: [1: Self.busy], at: time(60_001)) == [])
        #expect(schedule.free(among: [1: Self.idle], at: time(60_002)) == 1)
        #expect(schedule.look(at: [1: Self.idle], at: time(120_002)) == [])
        #expect(schedule.look(at: [1: Self.idle], at: time(120_003)) == [.retire(1)])
        schedule.take(.ended("exit code 0", isExpected: true), of: 1, at: time(120_010))
        #expect(schedule.look(at: [:], at: time(120_053)) == [])
        // Whoever only asks for a free one begins none.
        #expect(schedule.free(among: [:], at: time(120_060)) == nil)
        #expect(schedule.look(at: [:], at: time(120_103)) == [])
        #expect(schedule.resize(to: 1, at: time(120_200)) == [.begin(2)])
        #expect(schedule.look(at: [2: Self.idle], at: time(180_200)) == [])
        #expect(schedule.look(at: [2: Self.idle], at: time(180_201)) == [.retire(2)])
    }

    @Test func `begins none once it is closed, and is over with the last`() {
        var schedule = schedule(size: 2)
        schedule.close()
        #expect(schedule.look(at: [1: Self.gone, 2: Self.gone], at: begin) == [])
        for number in 1...2 {
            #expect(!schedule.isOver && schedule.has(number))
            schedule.take(.ended("the server stops", isExpected: false), of: number, at: begin)
        }
        #expect(schedule.isOver && schedule.resize(to: 4, at: begin) == [])
    }

    @Test func `has as many that answer as there are to be, whatever becomes of them`() {
        var random = SeededGenerator.printed("a schedule of a pool")
        for _ in 0..<100 {
            var run = PoolRun(size: .random(in: 1...3, using: &random), by: random)
            for _ in 0..<200 { run.step() }
            run.end()
            random = run.random
        }
    }
}

/// A schedule with workers and a clock that are moved at random, and what must be true of it at any time.
private struct PoolRun {
    var random: SeededGenerator
    private let size: Int
    private var schedule: WorkerPoolSchedule
    private var workers: WorkerPoolSchedule.Conditions = [:]
    private var begun = 0
    /// How many have ended one after the other that had read nothing or had just read, how many of them were not seen to
    /// take calls, when the last did, and when its pause is over at the latest.
    private var failures = 0
    private var unserved = 0
    private var readAt: [Int: ContinuousClock.Instant] = [:]
    private var seen: Set<Int> = []
    private var failedAt: ContinuousClock.Instant
    private var pauseEnd: ContinuousClock.Instant
    private var now = ContinuousClock.now
    private var isClosed = false

    init(size: Int, by random: SeededGenerator) {
        self.random = random
        self.size = size
        (failedAt, pauseEnd) = (now, now)
        schedule = WorkerPoolSchedule(size: size, restsAfter: nil, at: now)
        perform(schedule.fill(at: now))
    }

    mutating func step() {
        now += .milliseconds(.random(in: 0...50, using: &random))
        guard let number = workers.keys.sorted().randomElement(using: &random), random.chance(70) else { return look() }
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<4: load(number)
        case 4:
            let isSilent = random.chance(50)
            workers[number]?.isSilent = isSilent
            workers[number]?.isLooping = isSilent
            workers[number]?.stuckFor = isSilent ? .milliseconds(.random(in: 101...2_000, using: &random)) : nil
        case 5: if workers[number]?.load != nil { workers[number]?.load = .random(in: 0...3, using: &random) }
        case 6: end(number, isExpected: workers[number]?.isGone == true)
        case 7: free()
        case 8: if workers[number]?.isGone == true { end(number, isExpected: true) }
        default: look()
        }
        check()
    }

    /// From now on all workers do as they should.
    mutating func end() {
        for _ in 0..<150 {
            now += .milliseconds(50)
            for (number, worker) in workers.sorted(by: { $0.key < $1.key }) {
                if worker.isGone {
                    end(number, isExpected: true)
                } else {
                    load(number)
                    workers[number] = .init(load: 0)
                }
            }
            look()
            check()
        }
        #expect(workers.count == size && workers.values.allSatisfy { $0.load == 0 })
        isClosed = true
        schedule.close()
        for number in workers.keys {
            end(number, isExpected: false)
            look()
        }
        #expect(schedule.isOver && workers.isEmpty)
    }

    private mutating func load(_ number: Int) {
        guard workers[number]?.load == nil, workers[number]?.isGone == false else { return }
        workers[number]?.load = 0
        readAt[number] = now
        schedule.take(.loaded(ScriptInventory(.null), .null), of: number, at: now)
    }

    private mutating func end(_ number: Int, isExpected: Bool) {
        workers[number] = nil
        let read = readAt.removeValue(forKey: number)
        let hadCalls = random.chance(50)
        if !isExpected, read.map({ !hadCalls && now - $0 < .seconds(10) }) ?? true {
            (failures, failedAt) = (failures + 1, now)
            if !seen.contains(number) { unserved += 1 }
            pauseEnd = failures > 2 ? now + .seconds(5) : now
        }
        if isExpected, read != nil { unserved = 0 }
        let stage: ScriptWorker.Stage = read == nil ? .reading(nil) : .serving(hadCalls: hadCalls)
        schedule.take(.ended("reason", isExpected: isExpected, stage), of: number, at: now)
        #expect(schedule.isFailing == (unserved >= 3 && readAt.isEmpty))
        // As its host has it done.
        if !isExpected { perform(schedule.fill(able: workers.values.count { !$0.isGone }, at: now)) }
    }

    /// Notes whom the schedule sees taking calls.
    private mutating func see() {
        for (number, worker) in workers where worker.load != nil {
            seen.insert(number)
            unserved = 0
        }
    }

    private mutating func free() {
        if unserved > 0 { see() }
        let free = schedule.free(among: workers, at: now).flatMap { workers[$0] }
        let able = workers.values.filter { $0.load != nil }
        #expect((free == nil) == able.isEmpty)
        guard let free, let load = free.load else { return }
        #expect(!free.isSilent || able.allSatisfy(\.isSilent), "a call goes to who says nothing")
        #expect(able.allSatisfy { $0.isSilent != free.isSilent || $0.load ?? 0 >= load })
    }

    private mutating func look() {
        let silent = WorkerPoolSchedule.silent(among: workers)
        #expect(silent.isEmpty || workers.values.contains { $0.load != nil && !$0.isSilent })
        see()
        let isSettled = readAt.values.contains { $0 >= failedAt && now - $0 >= .seconds(10) }
        if failures > 0, isSettled { (failures, unserved) = (0, 0) }
        perform(schedule.look(at: workers, at: now))
        let able = workers.values.count { !$0.isGone && $0.stuckFor == nil }
        #expect(
            isClosed || now < pauseEnd
                || able >= size || workers.count >= 2 * size, "nobody begins those that are missing")
    }

    private mutating func perform(_ actions: [WorkerPoolSchedule.Action]) {
        for action in actions {
            switch action {
            case .begin(let number):
                begun += 1
                #expect(number == begun && workers[number] == nil && !isClosed)
                #expect(failures < 3 || now - failedAt >= .milliseconds(400), "it begins without a pause")
                workers[number] = .init()
            case .endStuck(let number):
                #expect(workers[number]?.isLooping == true && workers.count >= 2 * size)
                workers[number] = .init(isGone: true)
            case .retire(let number):
                #expect(workers[number]?.load == 0, "who has calls is let go")
                workers[number]?.load = nil
                workers[number]?.isGone = true
            }
        }
    }

    private func check() {
        #expect(workers.count <= 2 * size && workers.keys.allSatisfy(schedule.has))
    }
}
