import Foundation
public import Testing

/// Runs a task on threads that nobody else waits for, so that a client that blocks starves no other test.
public final class OwnThread: TaskExecutor {
    /// Makes an executor.
    public init() {}

    /// Runs a job on a new thread.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        Thread { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }.start()
    }
}

/// Runs a body so many times at once, each on a thread of its own.
/// - Returns: what they returned, in the order in which they ended.
public func inParallel<Result: Sendable>(
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

/// Gives each test of a suite a thread of its own, for tests that wait for a process or a socket.
public struct OwnThreadTrait: SuiteTrait, TestTrait, TestScoping {
    /// Each test by itself.
    public var isRecursive: Bool { true }

    /// Runs the test on its thread.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        await Self.turns.take()
        defer { Self.turns.giveBack() }
        try await withTaskExecutorPreference(OwnThread()) { try await function() }
    }

    /// All tests begin at once, and each of these has processes, pipes and sockets: a process has not so many that a
    /// listing of its descriptors fills a page of memory, which Foundation reads past when it starts another.
    private static let turns = Turns(24)
}

extension Trait where Self == OwnThreadTrait {
    /// Each test blocks a thread of its own: the pool that all tests share has one for each core only.
    public static var ownThread: OwnThreadTrait { OwnThreadTrait() }
}
