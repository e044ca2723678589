internal import CSockets
internal import Foundation
internal import HTTPModel
internal import Synchronization

/// Gives memory back to the system once a wave of large bodies and answers is over: the allocator keeps what is freed
/// between what isn't.
final class MemoryReturn: Sendable {
    /// A wave is so much held at once.
    private static let waveBytes = 32 << 20
    /// It is over when no more than a quarter has been held for so long.
    private static let calmNanoseconds: UInt64 = 1_000_000_000

    private let budget: ByteBudget
    private let calmSince = Mutex<UInt64?>(nil)

    init(_ budget: ByteBudget) {
        self.budget = budget
    }

    /// Whether a wave has not been cleared up after, so that somebody has to tick.
    var isPending: Bool { budget.highestBytes >= Self.waveBytes }

    /// To be called by every loop at each of its ticks.
    func tick(now: UInt64) {
        guard isPending else { return }
        let isOver = calmSince.withLock { since in
            guard budget.heldBytes <= budget.highestBytes / 4 else {
                since = nil
                return false
            }
            guard let start = since else {
                since = now
                return false
            }
            guard now >= start + Self.calmNanoseconds else { return false }
            since = nil
            budget.forgetHighest()
            return true
        }
        guard isOver else { return }
        // On a thread of its own: it takes some milliseconds, in which connections should go on.
        let thread = Thread { _ = malloc_trim(0) }
        thread.name = "memory return"
        thread.start()
    }
}
