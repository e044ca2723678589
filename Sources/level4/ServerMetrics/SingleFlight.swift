import Dispatch
import Synchronization

/// Work for metrics that is done once for everybody who wants it at the same time.
final class SingleFlight<Outcome: Sendable>: Sendable {
    private let current = Mutex<Task<Outcome, Never>?>(nil)

    /// Waits for the work that is being done, or else begins it.
    func share(_ work: @escaping @Sendable () async -> Outcome) async -> Outcome {
        await begin(work).value
    }

    /// The work that is being done, or else begins it.
    func begin(_ work: @escaping @Sendable () async -> Outcome) -> Task<Outcome, Never> {
        current.withLock { current in
            if let current { return current }
            // Who asks may be an event loop.
            let task = Task.detached(executorPreference: MetricsQueue.shared) { [self] in
                let outcome = await work()
                self.current.withLock { $0 = nil }
                return outcome
            }
            current = task
            return task
        }
    }
}

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
