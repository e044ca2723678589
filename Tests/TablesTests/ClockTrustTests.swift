import Scalars
import Synchronization
import Tables
import Testing

struct `The present that may be believed` {
    /// A clock and one that never jumps, a second at a time.
    private struct Run {
        var present = ClockTrust()
        var wall: Int64 = 1_800_000_000_000
        var run: Int64 = 0
        var notes: [ClockTrust.Note] = []

        mutating func look(seconds: Int64 = 1, wallSeconds: Int64? = nil) {
            run += seconds * 1_000
            wall += (wallSeconds ?? seconds) * 1_000
            if let note = present.look(Instant(milliseconds: wall), at: .milliseconds(run)) { notes.append(note) }
        }

        mutating func go(seconds: Int64) { for _ in 0..<seconds { look() } }

        mutating func know(daysAgo: Int64?) {
            let instant = daysAgo.map { Instant(milliseconds: wall - $0 * 86_400_000) }
            present.know(instant, at: .milliseconds(run))
        }
    }

    @Test func `is none before the database was asked`() {
        var run = Run()
        run.go(seconds: 60)
        #expect(!run.present.isBelieved)
        run.know(daysAgo: nil)
        run.look()
        #expect(run.present.isBelieved && run.notes == [.believed])
    }

    @Test func `is the clock's once it has run evenly for a while`() {
        var run = Run()
        run.know(daysAgo: 0)
        run.go(seconds: 5)
        #expect(!run.present.isBelieved)
        #expect(run.present.doubt(at: .milliseconds(run.run)) == .seconds(4))
        run.go(seconds: 1)
        #expect(run.present.isBelieved)
        #expect(run.present.doubt(at: .milliseconds(run.run)) == .zero)
    }

    @Test(arguments: [730, 2, -2, -730]) func `is none at the first look at a clock that jumped`(days: Int64) {
        var run = Run()
        run.know(daysAgo: 0)
        run.go(seconds: 20)
        run.look(wallSeconds: 1 + days * 86_400)
        #expect(!run.present.isBelieved)
        #expect(run.notes.last == .jumped(milliseconds: days * 86_400_000))
        // For two seconds.
        run.look()
        #expect(!run.present.isBelieved)
        run.look(wallSeconds: 1 - days * 86_400)
        run.go(seconds: 4)
        #expect(!run.present.isBelieved)
        run.go(seconds: 2)
        #expect(run.present.isBelieved)
    }

    @Test func `is a clock's that is far ahead after a day of trial`() {
        var run = Run()
        run.know(daysAgo: 730)
        run.go(seconds: 60)
        #expect(!run.present.isBelieved && run.notes == [.onTrial(milliseconds: 730 * 86_400_000)])
        for _ in 0..<23 { run.look(seconds: 3_600) }
        #expect(!run.present.isBelieved)
        run.look(seconds: 3_600)
        #expect(run.present.isBelieved)
    }

    @Test func `is a clock's that is far ahead once somebody says that it is right`() {
        var run = Run()
        run.know(daysAgo: 730)
        run.go(seconds: 60)
        #expect(!run.present.isBelieved)
        run.know(daysAgo: 0)
        run.look()
        #expect(run.present.isBelieved)
    }

    @Test func `is a clock's that lies behind, which removes less`() {
        var run = Run()
        run.know(daysAgo: -730)
        run.go(seconds: 11)
        #expect(run.present.isBelieved)
    }

    @Test func `is no clock's that runs too fast in small steps`() {
        var run = Run()
        run.know(daysAgo: 0)
        run.go(seconds: 11)
        for _ in 0..<20 { run.look(wallSeconds: 3) }
        #expect(run.notes.contains { if case .jumped = $0 { true } else { false } })
    }

    @Test func `is that of a clock that is steered, for as long as it goes`() {
        var run = Run()
        run.know(daysAgo: 0)
        run.go(seconds: 11)
        for _ in 0..<1_000 { run.look(seconds: 3_600, wallSeconds: 3_601) }
        #expect(run.present.isBelieved && run.notes == [.believed])
    }

    @Test func `is the earlier one of two clocks, where both may be believed`() {
        let clock = Hands()
        let time = TrustedTime(wall: { clock.wall }, run: { clock.run })
        #expect(time.now() == nil)
        let behind = Instant(milliseconds: clock.wall.milliseconds - 3_000)
        time.know(TimeReading(clock: behind, latestStamp: clock.wall))
        clock.go(seconds: 11)
        #expect(time.now() == nil)
        time.know(TimeReading(clock: Instant(milliseconds: clock.wall.milliseconds - 3_000), latestStamp: clock.wall))
        #expect(time.now() == Instant(milliseconds: clock.wall.milliseconds - 3_000))
        clock.go(seconds: 1)
        #expect(time.now() == Instant(milliseconds: clock.wall.milliseconds - 3_000))
        // The database's jumps.
        let later = Instant(milliseconds: clock.wall.milliseconds + 63_072_000_000)
        time.know(TimeReading(clock: later, latestStamp: clock.wall))
        #expect(time.now() == nil && time.isAtOdds)
        clock.go(seconds: 7)
        #expect(time.doubt == .seconds(7))
    }

    @Test func `is looked at anew each time that it is used`() {
        let clock = Hands()
        let time = TrustedTime(wall: { clock.wall }, run: { clock.run })
        time.know(TimeReading(latestStamp: clock.wall))
        clock.go(seconds: 11)
        #expect(time.now() == clock.wall)
        clock.jump(seconds: 63_072_000)
        #expect(time.now() == nil)
        let (lead, notes) = (Int64(63_072_000_000), time.look().map(\.note))
        #expect(notes == [.believed, .jumped(milliseconds: lead), .onTrial(milliseconds: lead)])
        #expect(time.look().isEmpty)
    }

    @Test(arguments: [Int64.min, .max]) func `survives the ends of numbers`(wall: Int64) {
        var present = ClockTrust()
        present.know(Instant(milliseconds: wall == .min ? .max : .min), at: .seconds(1))
        for second in 1...30 { _ = present.look(Instant(milliseconds: wall), at: .seconds(second)) }
        for second in 31...60 { _ = present.look(Instant(milliseconds: ~wall), at: .seconds(second)) }
        present.know(Instant(milliseconds: wall), at: .seconds(60))
        _ = present.look(Instant(milliseconds: wall), at: .seconds(61))
        #expect(present.doubt(at: .seconds(61)) >= .zero)
    }
}

/// Two clocks that a test moves.
private final class Hands: Sendable {
    private let state = Mutex((wall: Int64(1_800_000_000_000), run: Int64(0)))

    var wall: Instant { Instant(milliseconds: state.withLock { $0.wall }) }
    var run: Duration { .milliseconds(state.withLock { $0.run }) }

    func go(seconds: Int64) {
        state.withLock { state in
            state.wall += seconds * 1_000
            state.run += seconds * 1_000
        }
    }

    func jump(seconds: Int64) { state.withLock { $0.wall += seconds * 1_000 } }
}
