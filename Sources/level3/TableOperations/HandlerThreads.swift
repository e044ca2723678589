import Dispatch
import Synchronization
import WorkThreads

/// A thread pool for a program's handlers and hooks, which may be slow or even block, so that neither the event loops
/// nor Swift's small cooperative pool wait for them.
///
/// Threads are started on demand and end after being idle for a while.
public final class HandlerThreads: TaskExecutor {
    /// The maximum number of threads: how many handlers and hooks can block at once before others have to wait.
    public static let maximumCount = 64
    /// How long an idle thread waits for work before it ends.
    private static let patience = DispatchTimeInterval.seconds(10)

    private struct State {
        var jobs: [UnownedJob] = []
        var idleThreads = 0
        var threads = 0
    }

    private enum Step {
        case wake, start, queue
    }

    private let state = Mutex(State())
    private let wake = DispatchSemaphore(value: 0)

    /// Creates a pool without threads.
    public init() {}

    /// Runs a job on an idle thread, a new one, or the first one to become free.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let step = state.withLock { state -> Step in
            state.jobs.append(job)
            if state.idleThreads > 0 {
                state.idleThreads -= 1
                return .wake
            }
            guard state.threads < Self.maximumCount else { return .queue }
            state.threads += 1
            return .start
        }
        switch step {
        case .wake: wake.signal()
        case .start:
            NamedThread.start("zumod-handler") { self.work() }
        case .queue: break
        }
    }

    private func work() {
        let executor = unsafe asUnownedTaskExecutor()
        while true {
            let job = state.withLock { state -> UnownedJob? in
                guard state.jobs.isEmpty else { return state.jobs.removeFirst() }
                state.idleThreads += 1
                return nil
            }
            if let job {
                unsafe job.runSynchronously(on: executor)
            } else if wake.wait(timeout: .now() + Self.patience) == .timedOut, mayEnd() {
                return
            }
        }
    }

    /// Returns whether an idle thread may end. A thread being woken may not: it consumes the pending signal.
    private func mayEnd() -> Bool {
        let ends = state.withLock { state in
            guard state.idleThreads > 0 else { return false }
            state.idleThreads -= 1
            state.threads -= 1
            return true
        }
        if !ends { wake.wait() }
        return ends
    }
}
