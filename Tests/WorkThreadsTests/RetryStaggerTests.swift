import Testing

@testable import WorkThreads

@Suite struct `When those who are refused ask again` {
    private let begin = ContinuousClock.now

    private func seconds(
        _ spread: inout RetryStagger, ahead: Duration = .zero, step: Duration, at milliseconds: Int = 0
    ) -> Int {
        spread.seconds(ahead: ahead, step: step, at: begin + .milliseconds(milliseconds))
    }

    @Test func `is one behind the other, as fast as turns come`() {
        var spread = RetryStagger()
        let told = (0..<900).map { _ in
            seconds(&spread, ahead: .milliseconds(100), step: .milliseconds(100))
        }
        #expect(told == told.sorted() && told.first == 1 && told.last == 90)
        // Ten of them in each second, as turns come.
        let perSecond = Dictionary(grouping: told) { $0 }.mapValues(\.count)
        #expect(perSecond.values.allSatisfy { $0 == 10 })
    }

    @Test func `is soon again once those before have come`() {
        var spread = RetryStagger()
        for _ in 0..<100 { _ = seconds(&spread, step: .milliseconds(100)) }
        #expect(spread.isAhead(of: begin + .milliseconds(9_000)))
        #expect(seconds(&spread, step: .milliseconds(100), at: 5_000) == 5)
        #expect(seconds(&spread, step: .milliseconds(100), at: 60_000) == 1)
        #expect(!spread.isAhead(of: begin + .milliseconds(60_001)))
    }

    @Test func `is never later than two minutes, and a new round begins`() {
        var spread = RetryStagger()
        let told = (0..<1_000).map { _ in seconds(&spread, ahead: .seconds(1), step: .seconds(1)) }
        #expect(told.max() == 120 && told.min() == 1)
        #expect(told.count { $0 == 1 } == 9)
        #expect(seconds(&spread, ahead: .seconds(100_000), step: .seconds(1)) == 120)
    }

    @Test func `is a second at least, and no step is no reason to wait`() {
        var spread = RetryStagger()
        for _ in 0..<10 { #expect(seconds(&spread, step: .zero) == 1) }
        #expect(seconds(&spread, ahead: .seconds(-5), step: .zero) == 1)
    }
}
