import Dispatch

/// Where pages of metrics are written: off the event loops, and off the pool that all tasks share, which a program's
/// own code may block.
final class MetricsQueue: TaskExecutor {
    static let shared = MetricsQueue()

    private let queue = DispatchQueue(label: "zumod metrics", qos: .utility)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
