import ByteText
import Testing

@testable import Scripts

@Suite struct `Limits that count for a while` {
    private let begin = ContinuousClock.now

    private func time(_ milliseconds: Int) -> ContinuousClock.Instant { begin + .milliseconds(milliseconds) }

    @Test func `let 200 lines a second through of what a process prints`() {
        var limit = LineRateLimit(at: begin)
        func allowed(at milliseconds: Int) -> Int {
            (0..<300).count { _ in limit.allowsOneMore(at: time(milliseconds)) }
        }
        #expect([0, 1_000, 1_001, 1_500, 2_002].map(allowed) == [200, 0, 200, 0, 200])
    }

    @Test func `set a caller who has ended a worker apart for a minute`() {
        let (callers, one) = (CrashingCallers(), ExactText("one"))
        #expect(callers.isEmpty && !callers.has(one, at: begin))
        callers.add(one, at: begin)
        #expect(callers.has(one, at: time(59_999)) && !callers.has(ExactText("other"), at: begin))
        #expect(!callers.has(one, at: time(60_000)) && callers.isEmpty)
        for number in 0..<10_000 { callers.add(ExactText("\(number)"), at: begin) }
        callers.add(one, at: time(59_999))
        #expect(!callers.has(one, at: time(59_999)))
        callers.add(one, at: time(60_000))
        #expect(callers.has(one, at: time(119_999)))
    }
}
