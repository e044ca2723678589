import Foundation

/// Runs a task on threads that nobody else waits for, so that a client that blocks starves no other test.
final class OwnThread: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        Thread { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }.start()
    }
}

/// Runs a body so many times at once, each on a thread of its own.
/// - Returns: what they returned, in the order in which they ended.
func inParallel<Result: Sendable>(
    _ count: Int, _ body: @escaping @Sendable (Int) throws -> Result
) async throws -> [Result] {
    try await withThrowingTaskGroup { group in
        for index in 0..<count {
            group.addTask(executorPreference: OwnThread()) { try body(index) }
        }
        var results: [Result] = []
        for try await result in group { results.append(result) }
        return results
    }
}
