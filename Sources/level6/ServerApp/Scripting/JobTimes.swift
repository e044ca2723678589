import Scalars
import Scripts

/// Decides which jobs start when, for a `JobScheduler`, without its clock and its tasks.
struct JobTimes {
    private let schedules: [CronSchedule]
    /// The last minute that was handled, counted from 1970.
    private var last: Int64

    /// What to do at one moment.
    struct Step {
        let minute: Int64
        /// The indices of the jobs to start.
        let due: [Int]
        /// How long to wait before the next step.
        let pause: Duration
    }

    /// - Parameter now: the current minute, whose jobs count as already started.
    init(_ schedules: [CronSchedule], from now: Instant) {
        self.schedules = schedules
        last = now.milliseconds / 60_000
    }

    mutating func next(at now: Instant) -> Step {
        let minute = now.milliseconds / 60_000
        // If the clock jumps ahead, only the jobs of the new minute start.
        let due = minute > last ? schedules.indices.filter { schedules[$0].includes(minute: minute) } : []
        last = minute
        // Slightly into the next minute, or earlier, as the clock may be set in between.
        let rest = 60_000 - now.milliseconds % 60_000
        let pause = min(rest + 20, 5_000)
        assert(pause > 0 && due.allSatisfy(schedules.indices.contains))
        return Step(minute: minute, due: due, pause: .milliseconds(pause))
    }
}
