import Scalars
import Scripts

/// Which jobs begin when: the decisions of a `JobScheduler`, without its clock and its tasks.
struct JobTimes {
    private let schedules: [CronSchedule]
    /// The minute that was looked at last, counted from 1970.
    private var last: Int64

    /// What to do at a moment.
    struct Step {
        let minute: Int64
        /// The numbers of the jobs that begin.
        let due: [Int]
        /// How long to wait for the next step.
        let pause: Duration
    }

    /// - Parameter now: what begins in this minute was begun before.
    init(_ schedules: [CronSchedule], from now: Instant) {
        self.schedules = schedules
        last = now.milliseconds / 60_000
    }

    mutating func next(at now: Instant) -> Step {
        let minute = now.milliseconds / 60_000
        // A clock that jumps ahead begins no more than what belongs to the minute where it lands.
        let due = minute > last ? schedules.indices.filter { schedules[$0].includes(minute: minute) } : []
        last = minute
        // A little into the next minute, and now and then before, as somebody may set the clock.
        let rest = 60_000 - now.milliseconds % 60_000
        let pause = min(rest + 20, 5_000)
        assert(pause > 0 && due.allSatisfy(schedules.indices.contains))
        return Step(minute: minute, due: due, pause: .milliseconds(pause))
    }
}
