import Testing

@testable import Scripts

@Suite struct `How often the system is asked about a worker` {
    private let begin = ContinuousClock.now

    /// How many of the looks of a second ask.
    private func looks(at state: ScriptWorker.State) -> Int {
        var state = state
        return (0..<20).count { state.asksSystem(at: begin + .milliseconds(50 * $0)) }
    }

    private func state(_ change: (inout ScriptWorker.State) -> Void = { _ in }) -> ScriptWorker.State {
        var state = ScriptWorker.State()
        state.isLoaded = true
        change(&state)
        return state
    }

    @Test func `at rest it is five times a second`() {
        #expect(looks(at: state()) == 5)
    }

    @Test func `with anything to do it is at each look`() {
        #expect(looks(at: ScriptWorker.State()) == 20)
        #expect(looks(at: state { $0.askedAt = begin }) == 20)
        #expect(looks(at: state { $0.late = (1, "a script") }) == 20)
        let call = ScriptWorker.Pending(
            heard: { _, _ in }, name: ScriptCallName(script: "a script", request: nil), deadline: begin,
            isReading: true, mayMove: true)
        var busy = state()
        busy.calls[1] = call
        #expect(looks(at: busy) == 20)
    }
}
