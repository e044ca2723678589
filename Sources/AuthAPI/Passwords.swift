import Access
import Foundation
import Synchronization

/// Checks passwords on a thread of its own, since each takes a tenth of a second.
final class Passwords: Sendable {
    private let jobs = Mutex<[Job]>([])
    private let arrivals = DispatchSemaphore(value: 0)

    /// The most that wait. More would wait longer than a user does.
    static let mostWaiting = 50

    private struct Job: Sendable {
        let password: String
        let hash: PasswordHash
        let answer: CheckedContinuation<Bool?, Never>
    }

    init() {
        let thread = Thread { [weak self, arrivals] in
            while true {
                arrivals.wait()
                guard let self else { return }
                guard let job = self.jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { continue }
                job.answer.resume(returning: job.hash.matches(job.password))
            }
        }
        thread.name = "zumod-login"
        thread.start()
    }

    deinit {
        arrivals.signal()
    }

    /// - Returns: nil where too many wait already.
    func match(_ password: String, _ hash: PasswordHash) async -> Bool? {
        await withCheckedContinuation { continuation in
            let isTaken = jobs.withLock { jobs in
                guard jobs.count < Self.mostWaiting else { return false }
                jobs.append(Job(password: password, hash: hash, answer: continuation))
                return true
            }
            if isTaken { arrivals.signal() } else { continuation.resume(returning: nil) }
        }
    }
}
