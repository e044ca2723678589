import JSONText
import Testing

@testable import Scripts

@Suite struct `The schedule of a worker` {
    private typealias Schedule = WorkerSchedule<Int>

    private let begin = ContinuousClock.now

    private func time(_ milliseconds: Int) -> ContinuousClock.Instant { begin + .milliseconds(milliseconds) }

    /// A worker that has read its scripts and has so many calls, which are the scripts a, b, c and so on.
    private func schedule(calls: Int = 0, staying: Set<Int> = [], time: Duration = .seconds(1)) -> Schedule {
        var limits = ScriptLimits()
        (limits.time, limits.callsPerWorker, limits.memoryMegabytes) = (time, 4, 8)
        var schedule = Schedule(limits: limits, at: begin)
        schedule.open()
        for number in 0..<calls { _ = add(number + 1, to: &schedule, mayMove: !staying.contains(number + 1)) }
        return schedule
    }

    private func add(_ number: Int, to schedule: inout Schedule, mayMove: Bool = true, bytes: Int = 10) -> Int? {
        let script = String(["a", "b", "c", "d", "e"][(number - 1) % 5])
        let call = Schedule.Call.sample(number, script: script, deadline: time(1_000), mayMove: mayMove)
        return schedule.begin(call, bytes: bytes, behind: 0)
    }

    private func ask(_ call: Int, _ what: String) throws -> WorkerMessage {
        let text = #"{"t":"ask","id":\#(call),"k":1,\#(what)}"#
        return try #require(WorkerMessage(JSONReader.parse(Array(text.utf8))))
    }

    private func done(_ call: Int) -> WorkerMessage { .done(call: call, ScriptAnswer(.null)) }

    // MARK: Calls

    @Test func `takes calls by number, as many as it may, and those whose message fits`() {
        var schedule = schedule(time: .seconds(1))
        #expect(add(1, to: &schedule, bytes: 64 << 20) == 1)
        #expect(add(2, to: &schedule, bytes: (64 << 20) + 1) == nil)
        schedule.queue(128 << 20)
        #expect(add(2, to: &schedule) == nil)
        schedule.queue(-(128 << 20))
        #expect(schedule.takes(10, behind: (128 << 20) - 10) && !schedule.takes(10, behind: (128 << 20) - 9))
        #expect((2...5).map { add($0, to: &schedule) } == [2, 3, 4, nil])
        #expect(schedule.condition(running: nil, at: begin).load == 4)
        #expect(words(schedule.take(done(2), at: begin)) == ["2: done"])
        #expect(add(6, to: &schedule) == 5)
    }

    @Test func `answers a call once, and what it asks behind that for as long as a call may take`() throws {
        var schedule = schedule(calls: 1)
        #expect(words(schedule.take(done(1), at: time(10))) == ["1: done"])
        #expect(words(schedule.take(done(1), at: time(10))) == [])
        #expect(try words(schedule.take(ask(1, #""do":"sql""#), at: time(1_000))) == ["1: ask"])
        #expect(words(schedule.look((nil, nil), at: time(1_010))) == [])
        #expect(words(schedule.look((nil, nil), at: time(1_011))) == ["forget 1"])
        #expect(try words(schedule.take(ask(1, #""do":"sql""#), at: time(1_012))) == ["send cancel 1"])
    }

    @Test func `tells a call once that it is late, behind its time`() {
        var schedule = schedule(calls: 2)
        _ = schedule.take(done(2), at: begin)
        #expect(words(schedule.look(nil, at: time(1_000))) == [])
        #expect(words(schedule.look(nil, at: time(1_001))) == ["forget 2", "1: late"])
        #expect(words(schedule.look(nil, at: time(1_002))) == [])
        #expect(words(schedule.cancel(1, isLate: true, begun: 0)) == ["send cancel 1"])
        #expect(words(schedule.cancel(1, isLate: true, begun: 0)) == [])
        // One that the worker has not come to doesn't hold it up.
        #expect(schedule.condition(running: nil, at: time(1_002)).load == 0)
    }

    @Test func `begins nothing once it retires, is ended or is no more`() {
        for end: (inout Schedule) -> Void in [
            { _ = $0.retire() }, { $0.end(because: "reason", running: nil) }, { _ = $0.finish("signal 9") },
        ] {
            var schedule = schedule()
            #expect(schedule.condition(running: nil, at: begin).load == 0)
            end(&schedule)
            #expect(add(1, to: &schedule) == nil)
            let condition = schedule.condition(running: nil, at: begin)
            #expect(condition.load == nil && condition.isGone)
        }
    }

    // MARK: Ends

    @Test func `is sent away once nothing is under way and nothing may still ask`() {
        var schedule = schedule(calls: 2)
        #expect(words(schedule.retire()) == [])
        #expect(words(schedule.take(done(1), at: time(0))) == ["1: done"])
        #expect(words(schedule.cancel(2, isLate: false, begun: 2)) == ["send cancel 2"])
        #expect(words(schedule.look((nil, nil), at: time(1_001))) == ["forget 1", "send end"])
        #expect(words(schedule.finish("exit code 0")) == ["ended, as expected: exit code 0"])
    }

    @Test func `takes no further call with an error that was left to nobody`() {
        var schedule = schedule()
        #expect(words(schedule.take(.broken(stack: "stack"), at: begin)) == ["leaving", "retire"])
        #expect(words(schedule.retire()) == ["send end"])
        let end = "a script left an error to nobody: stack"
        #expect(words(schedule.finish("exit code 0")) == ["ended: \(end)"])
        // Before it has read the scripts, nothing comes of it.
        var reading = Schedule(limits: ScriptLimits(), at: begin)
        _ = reading.take(.reading(file: "a.js"), at: begin)
        #expect(reading.unread == "a.js")
        _ = reading.take(.broken(stack: "stack"), at: begin)
        #expect(reading.verdict == end && reading.condition(running: nil, at: begin).isGone)
    }

    @Test func `says what it was ended for, whatever it says before its end`() {
        var schedule = Schedule(limits: ScriptLimits(), at: begin)
        schedule.end(because: "reason", running: nil)
        schedule.end(because: "other", running: nil)
        #expect(words(schedule.take(.broken(stack: "stack"), at: begin)) == ["leaving", "retire"])
        #expect(words(schedule.retire()) == ["send end"])
        #expect(words(schedule.finish("signal 9")) == ["ended: reason"])
    }

    @Test func `takes calls once whoever began it has heard what it has read`() {
        var schedule = Schedule(limits: ScriptLimits(), at: begin)
        #expect(schedule.condition(running: nil, at: begin).load == nil)
        #expect(words(schedule.take(.loaded(ScriptInventory(.null), .null), at: begin)) == ["loaded", "open"])
        #expect(schedule.condition(running: nil, at: begin).load == nil)
        schedule.open()
        #expect(schedule.condition(running: nil, at: begin).load == 0)
    }

    @Test(
        arguments: [
            // The running one is to blame, also where it was ended for that; what has acted is lost with it.
            (nil, 3, 3, [2], ["1: moved", "2: lost", "3: lost, culprit", "4: moved"]),
            ("reason", 1, 3, [2], ["1: lost, culprit", "2: lost", "3: moved", "4: moved"]),
            // One whose code ran only after the verdict: the test says that 2 ran last.
            ("reason", nil, 3, [3], ["1: moved", "2: lost, culprit", "3: lost", "4: moved"]),
            // Where none ran, all that were begun may be.
            (nil, nil, 3, [2, 4], ["1: moved, suspect", "2: lost", "3: moved, suspect", "4: moved"]),
            (nil, nil, 0, [], ["1: moved", "2: moved", "3: moved", "4: moved"]),
        ] as [(String?, Int?, Int, Set<Int>, [String])])
    func `tells all calls what its end is to them`(
        verdict: String?, running: Int?, begun: Int, acted: Set<Int>, told: [String]
    ) {
        var schedule = schedule(calls: 4)
        if let verdict { schedule.end(because: verdict, running: running) }
        let actions = schedule.finish(
            "signal 9", running: verdict == nil ? running : 2, begun: begun, hasActed: acted.contains)
        #expect(words(actions) == told + ["ended: \(verdict ?? "signal 9")"])
    }

    @Test(arguments: [
        (#""do":"execute""#, true), (#""do":"table","operation":"read""#, false),
        (#""do":"table","operation":"insert""#, true), (#""do":"sql""#, true), (#""do":"push""#, true),
        (#""do":"serve","method":"GET""#, false), (#""do":"serve","method":"POST""#, true), (#""do":"dance""#, false),
    ])
    func `moves no call that has asked for what may change something`(what: String, isLost: Bool) throws {
        var schedule = schedule(calls: 1)
        #expect(try words(schedule.take(ask(1, what), at: begin)) == ["1: ask"])
        #expect(words(schedule.finish("signal 9")).first == (isLost ? "1: lost" : "1: moved"))
    }

    // MARK: Silence

    @Test func `asks for a sign of life while there is something to do, or after a while`() {
        var schedule = schedule()
        #expect(words(schedule.look((nil, nil), at: time(5_000))) == [])
        #expect(words(schedule.look((nil, nil), at: time(5_001))) == ["send ping"])
        #expect(words(schedule.look((nil, nil), at: time(5_050))) == [])
        _ = schedule.take(.pong, at: time(5_060))
        #expect(words(schedule.look((nil, nil), at: time(5_100))) == [])
        _ = add(1, to: &schedule)
        #expect(words(schedule.look((nil, nil), at: time(5_150))) == ["1: late", "send ping"])
    }

    /// A worker with calls that was asked for a sign of life at 0, and whose thread had worked for 0 at that time.
    private func silent(calls: Int, staying: Set<Int> = [], time: Duration = .seconds(1)) -> Schedule {
        var schedule = schedule(calls: calls, staying: staying, time: time)
        _ = schedule.take(.pong, at: begin - .milliseconds(1))
        _ = schedule.look((nil, (.zero, 1)), at: begin)
        return schedule
    }

    @Test(arguments: [
        // By the clock, by the processor, whether somebody's code runs: silent, stuck, looping.
        (100, 100, true, false, false, false), (101, 20, true, true, false, false),
        (101, 21, true, true, true, false), (101, 21, false, true, false, false),
        (1_000, 900, true, true, true, false), (1_001, 201, true, true, true, true),
        (1_001, 200, true, true, true, false), (1_001, 201, false, true, true, false),
    ])
    func `is stuck where somebody's code had the machine, and by long silence`(
        clock: Int, work: Int, isRunning: Bool, isSilent: Bool, isStuck: Bool, isLooping: Bool
    ) {
        var schedule = silent(calls: 1)
        _ = schedule.look((1, (.milliseconds(work), 1)), at: time(clock))
        var condition = schedule.condition(running: isRunning ? 1 : nil, at: time(clock))
        #expect(condition.isSilent == isSilent && condition.isLooping == isLooping)
        #expect(condition.stuckFor == (isStuck ? .milliseconds(clock) : nil))
        // While a message arrives, the sign of life may stand behind it.
        schedule.hear(true)
        condition = schedule.condition(running: 1, at: time(clock))
        #expect(condition.stuckFor == nil && !condition.isLooping && condition.isSilent == isSilent)
        schedule.hear(false)
        _ = schedule.take(.log(call: 1, .info, "text"), at: time(clock))
        #expect(!schedule.condition(running: 1, at: time(clock + 100)).isSilent)
        #expect(schedule.condition(running: 1, at: time(clock + 101)).isSilent)
    }

    @Test func `has worked for what it has since its last sign of life`() {
        var schedule = silent(calls: 1)
        _ = schedule.look((1, (.milliseconds(300), 1)), at: time(300))
        _ = schedule.take(.pong, at: time(310))
        _ = schedule.look((1, (.milliseconds(350), 1)), at: time(350))
        for (work, stuckFor) in [(370, nil), (371, .milliseconds(101))] as [(Int, Duration?)] {
            _ = schedule.look((1, (.milliseconds(work), 1)), at: time(451))
            #expect(schedule.condition(running: 1, at: time(451)).stuckFor == stuckFor)
        }
        // Where the system tells nothing, the clock counts.
        _ = schedule.look((1, (nil, 0)), at: time(451))
        #expect(schedule.condition(running: 1, at: time(451)).stuckFor == .milliseconds(101))
    }

    @Test func `is ended where a call that was given up holds it up, or any for all of its time`() {
        var schedule = silent(calls: 2)
        #expect(words(schedule.cancel(1, isLate: true, begun: 1)) == ["send cancel 1"])
        #expect(schedule.condition(running: 1, at: begin).load == nil)
        #expect(words(schedule.look((1, nil), at: time(100))) == [])
        #expect(words(schedule.look((2, nil), at: time(101))) == [])
        let end = "took all of its time for longer than scripts.timeSeconds"
        #expect(words(schedule.look((1, nil), at: time(101))) == ["end: a \(end)"])
        #expect(words(schedule.look((2, nil), at: time(1_100))) == ["2: late"])
        #expect(words(schedule.look((2, nil), at: time(1_101))) == ["end: b \(end)"])
        #expect(words(schedule.look((nil, nil), at: time(1_102))) == ["end: b \(end)"])
        _ = schedule.take(.pong, at: time(1_103))
        #expect(schedule.condition(running: 1, at: time(1_103)).load == 1)
        #expect(schedule.reasonToEnd(running: 2) == "b took all of its time while others waited")
        #expect(schedule.reasonToEnd(running: nil) == "a script took all of its time while others waited")
    }

    @Test func `is ended for more memory than it may have`() {
        var schedule = schedule()
        #expect(words(schedule.look((nil, (nil, 200)), at: begin)) == [])
        let end = "it took 201 MiB of memory, and scripts.memoryMegabytes is 8"
        #expect(words(schedule.look((nil, (nil, 201)), at: begin)) == ["end: \(end)"])
    }

    // MARK: Moves

    @Test(
        arguments: [
            // What it has not come to, up to the first that stays.
            (101, 0, [], 1, 4, ["2: moved", "3: moved", "4: moved"]), (101, 0, [3], 1, 2, ["2: moved"]),
            (101, 0, [2], 1, 1, []), (100, 0, [], 1, nil, []),
            // After a long silence also what has done nothing, if the process didn't say otherwise.
            (1_001, 201, [], 3, 4, ["send cancel 2", "2: moved", "send cancel 4", "4: moved"]),
            (1_001, 200, [], 3, 4, ["4: moved"]), (1_001, 201, [2], 3, 4, ["send cancel 4", "4: moved"]),
        ] as [(Int, Int, Set<Int>, Int, Int?, [String])])
    func `gives away what it has not come to, and at last what has done nothing`(
        clock: Int, work: Int, staying: Set<Int>, begun: Int, last: Int?, told: [String]
    ) {
        var schedule = silent(calls: 4, staying: staying, time: .seconds(9))
        _ = schedule.look((nil, (.milliseconds(work), 1)), at: time(clock))
        #expect(schedule.skipped(begun: begun, at: time(clock)) == last)
        guard let last else { return }
        let movable = schedule.movable(begun: begun, running: 1, at: time(clock)).sorted()
        // One of them has just sent a message to somebody.
        let moved = movable.filter { $0 != 3 }
        #expect(words(schedule.giveAway(upTo: last, begun: begun, moved: moved, at: time(clock))) == told)
        // What those changed that were begun ends with this process.
        #expect(schedule.condition(running: 1, at: time(clock)).isGone == !moved.isEmpty)
        #expect(schedule.movable(begun: 4, running: nil, at: time(clock)) == [])
    }

    @Test func `keeps a call that has asked for a change, and one that has to stay`() throws {
        var schedule = schedule(calls: 4, staying: [4], time: .seconds(9))
        _ = try schedule.take(ask(2, #""do":"sql""#), at: begin)
        _ = schedule.look((nil, (.zero, 1)), at: begin)
        _ = schedule.look((1, (.milliseconds(201), 1)), at: time(1_001))
        #expect(schedule.movable(begun: 4, running: 1, at: time(1_001)) == [3])
    }

    @Test func `releases a call whose time others have taken`() throws {
        var schedule = silent(calls: 3)
        #expect(schedule.skipped(toRelease: 2, running: 1, at: time(100)) == nil)
        #expect(schedule.skipped(toRelease: 2, running: 2, at: time(101)) == nil)
        #expect(schedule.skipped(toRelease: 2, running: nil, at: time(101)) == nil)
        #expect(schedule.skipped(toRelease: 4, running: 1, at: time(101)) == nil)
        #expect(schedule.skipped(toRelease: 2, running: 1, at: time(101)) == 3)
        #expect(words(schedule.release(3, begun: 2)) == ["send cancel 3"])
        #expect(!schedule.condition(running: 1, at: time(101)).isGone)
        #expect(words(schedule.release(2, begun: 2)) == ["send cancel 2"])
        #expect(schedule.condition(running: 1, at: time(101)).isGone)
        _ = try schedule.take(ask(1, #""do":"sql""#), at: time(102))
        #expect(schedule.hasActed(1) && schedule.hasActed(2))
    }

    @Test func `has a call begun elsewhere that the worker left out`() {
        var schedule = schedule(calls: 1)
        #expect(words(schedule.take(.skipped(call: 1), at: begin)) == ["1: moved"])
        #expect(words(schedule.take(.skipped(call: 1), at: begin)) == [])
    }
}

/// Actions in words; what isn't of the caller of the call's number says so.
func words(_ actions: [WorkerSchedule<Int>.Action]) -> [String] {
    actions.map { action in
        switch action {
        case .tell(let caller, let call, let event):
            let name = caller == call ? "\(call)" : "\(call) of \(caller)"
            switch event {
            case .ask: return "\(name): ask"
            case .operated: return "\(name): operated"
            case .done: return "\(name): done"
            case .lost(_, let isCulprit): return "\(name): lost\(isCulprit ? ", culprit" : "")"
            case .late: return "\(name): late"
            case .moved(let isSuspect): return "\(name): moved\(isSuspect ? ", suspect" : "")"
            }
        case .report(.loaded): return "loaded"
        case .report(.line(let line)): return "line: \(line.text)"
        case .report(.leaving): return "leaving"
        case .report(.ended(let reason, let isExpected, _)):
            return "ended\(isExpected ? ", as expected" : ""): \(reason)"
        case .send(.ping): return "send ping"
        case .send(.end): return "send end"
        case .send(.cancel(let call)): return "send cancel \(call)"
        case .send: return "send"
        case .open: return "open"
        case .retire: return "retire"
        case .end(let reason): return "end: \(reason)"
        case .forget(let callers): return "forget " + callers.map(String.init).joined(separator: ", ")
        }
    }
}
