import Access
import Foundation
import Synchronization
import WorkThreads

/// Checks passwords on separate threads, since each takes a tenth of a second: one for each processor core but one, so
/// that logins leave the rest of the server a core.
final class Passwords: Sendable {
    private let state = Mutex(State())
    private let arrivals = DispatchSemaphore(value: 0)
    private let patience: Duration

    /// The number of threads that check passwords.
    static let threads = max(1, ProcessInfo.processInfo.activeProcessorCount - 1)
    /// How long a password may wait for its check. After that, the user has given up.
    static let patience = Duration.seconds(10)

    private struct State {
        var queue = PasswordQueue<Job>()
        var lastID = 0
    }

    private struct Job: Sendable, Identifiable {
        let id: Int
        let deadline: ContinuousClock.Instant
        let work: @Sendable () -> Bool
        let answer: CheckedContinuation<Bool?, Never>
    }

    init(threads: Int = threads, patience: Duration = patience) {
        self.patience = patience
        for _ in 0..<threads {
            NamedThread.start("zumod-login") { [weak self, arrivals] in
                while true {
                    arrivals.wait()
                    guard let self else {
                        // Lets the next thread end too.
                        arrivals.signal()
                        return
                    }
                    self.doNext()
                }
            }
        }
    }

    deinit {
        arrivals.signal()
    }

    /// - Parameter address: the address of the attempt.
    /// - Returns: nil if too many are waiting, it waited too long, or the task was cancelled because the client is
    ///   gone.
    func match(_ password: String, _ hash: PasswordHash, from address: String) async -> Bool? {
        await check(from: address) { hash.matches(password) }
    }

    /// Runs the work on one of the threads, when it is the address's turn.
    func check(from address: String, _ work: @escaping @Sendable () -> Bool) async -> Bool? {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let job = Job(id: id, deadline: .now + patience, work: work, answer: continuation)
                let refused = state.withLock { state in
                    // A task that is already cancelled would find nothing to drop.
                    Task.isCancelled ? job : state.queue.add(job, of: address)
                }
                refused?.answer.resume(returning: nil)
                arrivals.signal()
            }
        } onCancel: {
            state.withLock { $0.queue.remove(id) }?.answer.resume(returning: nil)
        }
    }

    /// The number of waiting jobs.
    var waiting: Int { state.withLock { $0.queue.count } }

    private func doNext() {
        let now = ContinuousClock.now
        let (late, job) = state.withLock { state in
            (state.queue.removeAll { $0.deadline <= now }, state.queue.next())
        }
        for job in late { job.answer.resume(returning: nil) }
        if let job { job.answer.resume(returning: job.work()) }
    }
}
