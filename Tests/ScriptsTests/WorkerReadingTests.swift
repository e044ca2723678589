import JSONText
import Testing

@testable import Scripts

@Suite struct `A worker that reads the scripts` {
    private typealias Schedule = WorkerSchedule<Int>

    private let begin = ContinuousClock.now

    private func time(_ milliseconds: Int) -> ContinuousClock.Instant { begin + .milliseconds(milliseconds) }

    private func schedule(reading file: String? = nil, stays: Duration = .zero) -> Schedule {
        var schedule = Schedule(limits: ScriptLimits(), stays: stays, at: begin)
        if let file { _ = schedule.take(.reading(file: file), at: begin) }
        return schedule
    }

    private func read(_ schedule: inout Schedule, at milliseconds: Int = 0) {
        _ = schedule.take(.loaded(ScriptInventory(.null), .null), at: time(milliseconds))
        schedule.open()
    }

    private func stage(_ actions: [Schedule.Action]) -> ScriptWorker.Stage? {
        guard case .report(.ended(_, _, let stage))? = actions.last else { return nil }
        return stage
    }

    @Test func `is ended once it has worked for longer than reading may take`() {
        var schedule = schedule(reading: "api/a.js")
        #expect(words(schedule.look((nil, (.seconds(15), 1)), at: time(15_100))) == [])
        #expect(schedule.endlessReading(work: .seconds(15), at: time(15_100)) == nil)
        let reason = "api/a.js does not come to its end: its code runs on when it is read"
        #expect(schedule.endlessReading(work: .milliseconds(15_001), at: time(15_100)) == reason)
        #expect(words(schedule.look((nil, (.milliseconds(15_001), 1)), at: time(15_100))) == ["end: \(reason)"])
        schedule.end(because: reason, running: nil)
        #expect(words(schedule.look((nil, (.seconds(16), 1)), at: time(16_100))) == [])
        let actions = schedule.finish("signal 9")
        #expect(words(actions) == ["ended: \(reason)"] && stage(actions) == .endless("api/a.js"))
    }

    @Test func `may take a minute for each file on a machine that leaves it little time`() {
        var schedule = schedule(reading: "a.js")
        for (index, file) in ["b.js", "c.js", "d.js"].enumerated() {
            let now = time(60_000 * (index + 1))
            #expect(words(schedule.look((nil, (.seconds(4 * index), 1)), at: now)) == [])
            _ = schedule.take(.reading(file: file), at: now)
        }
        #expect(words(schedule.look((nil, (nil, 1)), at: time(240_000))) == [])
        let reason = "d.js does not come to its end: it was not read within a minute"
        #expect(words(schedule.look((nil, (nil, 1)), at: time(240_001))) == ["end: \(reason)"])
        // One that works, however slowly, has the limit of its work.
        #expect(schedule.endlessReading(work: .milliseconds(12_000), at: time(240_001)) == reason)
        #expect(schedule.endlessReading(work: .milliseconds(12_001), at: time(240_001)) == nil)
        // Without a process, there is nothing to end.
        var none = self.schedule()
        #expect(words(none.look(nil, at: time(60_001))) == [])
    }

    @Test func `is ended as well where it doesn't come to a file`() {
        var schedule = schedule()
        #expect(words(schedule.look((nil, (.seconds(1), 1)), at: time(60_000))) == [])
        let reason = "it did not read the scripts in time"
        #expect(words(schedule.look((nil, (.seconds(1), 1)), at: time(60_001))) == ["end: \(reason)"])
        #expect(schedule.endlessReading(work: .seconds(16), at: begin)?.hasPrefix("it does not come to") == true)
    }

    @Test func `has no such limit once it has read`() {
        var schedule = schedule(reading: "a.js")
        read(&schedule)
        #expect(schedule.endlessReading(work: .seconds(16), at: time(60_001)) == nil)
        _ = schedule.look((nil, (.seconds(15), 1)), at: time(1_000))
        #expect(words(schedule.look((nil, (.seconds(99), 1)), at: time(70_000))) == ["send ping"])
        let actions = schedule.finish("exit code 1")
        #expect(stage(actions) == .serving(hadCalls: false))
    }

    @Test func `is ended at once where it is let go, as a loop hears nothing`() {
        var schedule = schedule(reading: "a.js")
        #expect(words(schedule.retire()) == ["end: it had not read the scripts yet"])
        schedule.end(because: "other", running: nil)
        #expect(words(schedule.retire()) == ["send end"])
    }

    @Test func `says which file it was reading when it ended, and whether it had calls`() {
        var reading = schedule(reading: "a.js")
        #expect(stage(reading.finish("exit code 1")) == .reading("a.js"))
        var silent = schedule()
        #expect(stage(silent.finish("exit code 1")) == .reading(nil))
        var called = schedule()
        read(&called)
        _ = called.begin(.sample(deadline: time(1_000)), bytes: 1, behind: 0)
        _ = called.take(.done(call: 1, ScriptAnswer(.null)), at: begin)
        #expect(stage(called.finish("exit code 1")) == .serving(hadCalls: true))
    }

    @Test func `serves on for a while where others left an error of reading to nobody too`() {
        var schedule = schedule(stays: .milliseconds(400))
        read(&schedule)
        #expect(words(schedule.take(.broken(stack: "stack"), at: time(9_999))) == [])
        #expect(schedule.condition(running: nil, at: time(10_398)).load == 0)
        #expect(schedule.begin(.sample(deadline: time(20_000)), bytes: 1, behind: 0) == 1)
        #expect(words(schedule.look((nil, (nil, 1)), at: time(10_398))) == ["send ping"])
        #expect(words(schedule.look((nil, (nil, 1)), at: time(10_399))) == ["leaving", "retire"])
        #expect(words(schedule.retire()) == [])
        #expect(words(schedule.look((nil, (nil, 1)), at: time(10_450))) == [])
        #expect(words(schedule.cancel(1, isLate: false, begun: 1)) == ["send cancel 1", "send end"])
        #expect(words(schedule.finish("exit code 0")) == ["ended: a script left an error to nobody: stack"])
        // An error that comes later is one of its own.
        var late = self.schedule(stays: .milliseconds(400))
        read(&late)
        #expect(words(late.take(.broken(stack: "stack"), at: time(10_000))) == ["leaving", "retire"])
    }
}
