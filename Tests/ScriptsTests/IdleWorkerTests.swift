import JSONText
import Testing

@testable import Scripts

@Suite struct `How often the system is asked about a worker` {
    private let begin = ContinuousClock.now

    /// How many of the looks of a second ask.
    private func looks(at schedule: WorkerSchedule<Int>) -> Int {
        var schedule = schedule
        return (0..<20).count { schedule.asksSystem(at: begin + .milliseconds(50 * $0)) }
    }

    private func schedule(_ change: (inout WorkerSchedule<Int>) -> Void = { $0.open() }) -> WorkerSchedule<Int> {
        var schedule = WorkerSchedule<Int>(limits: ScriptLimits(), at: begin)
        change(&schedule)
        return schedule
    }

    /// One that has a call.
    private var busy: WorkerSchedule<Int> {
        schedule { schedule in
            schedule.open()
            _ = schedule.begin(.sample(deadline: begin), bytes: 1, behind: 0)
        }
    }

    @Test func `at rest it is five times a second`() {
        #expect(looks(at: schedule()) == 5)
    }

    @Test func `with anything to do it is at each look`() {
        #expect(looks(at: schedule { _ in }) == 20)
        #expect(looks(at: busy) == 20)
        // One that was asked for a sign of life as it said nothing for long.
        let asked = schedule { schedule in
            schedule.open()
            _ = schedule.look((nil, nil), at: begin + .seconds(6))
        }
        #expect(looks(at: asked) == 20)
        var late = busy
        _ = late.cancel(1, isLate: true, begun: 1)
        #expect(looks(at: late) == 20)
        var answered = busy
        _ = answered.take(.done(call: 1, ScriptAnswer(.null)), at: begin)
        #expect(looks(at: answered) == 20)
        _ = answered.look((nil, nil), at: begin + .seconds(6))
        _ = answered.take(.pong, at: begin + .seconds(6))
        #expect(looks(at: answered) == 5)
    }
}

extension WorkerSchedule.Call where Caller == Int {
    /// A call of a script.
    static func sample(
        _ caller: Int = 1, script: String = "a script", deadline: ContinuousClock.Instant, mayMove: Bool = true
    ) -> Self {
        Self(
            caller: caller, name: ScriptCallName(script: script, request: nil), deadline: deadline, isReading: false,
            mayMove: mayMove)
    }
}
