import Scalars
import Scripts
import SeedTesting
import Testing

@testable import ServerApp

@Suite struct `The times of jobs` {
    private static let minute: Int64 = 29_000_000

    private func instant(_ minutes: Int64, _ milliseconds: Int64 = 0) -> Instant {
        Instant(milliseconds: (Self.minute + minutes) * 60_000 + milliseconds)
    }

    private func times(_ schedules: [String]) throws -> JobTimes {
        try JobTimes(schedules.map { try #require(CronSchedule($0)) }, from: instant(0, 500))
    }

    @Test func `are looked at once in each minute, and not made up for`() throws {
        // The second one in odd minutes, of which 29,000,001 is one.
        var times = try times(["* * * * *", "1-59/2 * * * *"])
        let moments: [(minute: Int64, milliseconds: Int64, due: [Int], pause: Int)] = [
            // The minute in which the server started is another's.
            (0, 30_000, [], 5_000), (1, 20, [0, 1], 5_000), (1, 5_020, [], 5_000), (1, 58_000, [], 2_020),
            (2, 20, [0], 5_000),
            // A clock that jumps ahead begins what belongs to where it lands, and one that is set back nothing.
            (61, 59_999, [0, 1], 21), (59, 0, [], 5_000), (60, 0, [0], 5_000),
        ]
        for (minute, milliseconds, due, pause) in moments {
            let step = times.next(at: instant(minute, milliseconds))
            #expect(step.due == due && step.minute == Self.minute + minute && step.pause == .milliseconds(pause))
        }
    }

    @Test func `come for each minute once, as long as the clock goes on by less than one`() throws {
        var random = SeededGenerator.printed("the times of jobs")
        for _ in 0..<50 {
            var times = try times(["* * * * *"])
            var now = instant(0, 500)
            var begun: [Int64] = []
            for _ in 0..<200 {
                let step = times.next(at: now)
                if !step.due.isEmpty { begun.append(step.minute) }
                let late = Duration.milliseconds(.random(in: 0...50_000, using: &random))
                #expect(step.pause > .zero && step.pause <= .seconds(5))
                let pause = Int64((step.pause + late) / .milliseconds(1))
                now = Instant(milliseconds: now.milliseconds + pause)
            }
            #expect(begun.count > 10 && begun == Array(Self.minute + 1...Self.minute + Int64(begun.count)))
        }
    }
}
