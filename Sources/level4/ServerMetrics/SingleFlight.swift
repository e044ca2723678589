import Dispatch
import Synchronization

/// Work for metrics that is shared by everyone who requests it at the same time.
final class SingleFlight<Outcome: Sendable>: Sendable {
    private let current = Mutex<Task<Outcome, Never>?>(nil)

    /// Waits for the work in progress, or starts it.
    func share(_ work: @escaping @Sendable () async -> Outcome) async -> Outcome {
        await begin(work).value
    }

    /// Returns the work in progress, or starts it.
    func begin(_ work: @escaping @Sendable () async -> Outcome) -> Task<Outcome, Never> {
        current.withLock { current in
            if let current { return current }
            // The caller may be on an event loop.
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

/// Runs the work for metrics off the event loops, and off the pool shared by all tasks, which a program's own code may
/// block.
final class MetricsQueue: TaskExecutor {
    static let shared = MetricsQueue()

    private let queue = DispatchQueue(label: "zumod metrics", qos: .utility)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
