internal import HTTPModel
internal import Platform
internal import Synchronization
internal import WorkThreads

/// Returns memory to the system once a wave of large bodies and answers, or of connections, is over, or after many
/// connections have become idle: the allocator keeps freed memory that lies between memory in use.
final class MemoryTrimmer: Sendable {
    /// A wave is so much held at once.
    private static let waveBytes = 32 << 20
    /// The wave is over when no more than a quarter has been held for this long.
    private static let calmNanoseconds: UInt64 = 1_000_000_000

    /// So many connections at rest have freed as much as is worth the time.
    private static let restingCount = 500
    /// How long the next time is waited for then: clients that ask every few seconds need the memory again.
    private static let restInterval: UInt64 = 60_000_000_000

    /// What a connection takes, about, at its most.
    private let connectionBytes: Int
    private let budget: ByteBudget
    private let highestCount = Atomic<Int>(0)
    private let calmSince = Mutex<UInt64?>(nil)
    private let rests = Mutex(Rests())

    /// The connections that came to rest since memory was given back for that, and when that was.
    private struct Rests {
        var count = 0
        var last: UInt64?
    }

    /// - Parameter areSecured: whether connections are encrypted, for which each takes four times as much.
    init(_ budget: ByteBudget, areSecured: Bool) {
        self.budget = budget
        connectionBytes = areSecured ? 64 << 10 : ByteReservation.freeBytes
    }

    /// Whether a wave has not been cleared up after, so that somebody has to tick.
    var isPending: Bool { isWave || rests.withLock { $0.count >= Self.restingCount } }

    private var isWave: Bool { highestBytes >= Self.waveBytes }

    private var highestBytes: Int {
        budget.highestBytes + highestCount.load(ordering: .relaxed) * connectionBytes
    }

    /// To be called with every connection that is opened.
    func didOpen(_ openCount: Int) {
        highestCount.max(openCount, ordering: .relaxed)
    }

    /// To be called with every connection that comes to rest.
    func didRest() {
        rests.withLock { $0.count += 1 }
    }

    /// To be called by every loop at each of its ticks.
    func tick(now: UInt64, openCount: Int) {
        let haveRested = rests.withLock { rests in
            guard rests.count >= Self.restingCount, now >= (rests.last ?? 0) + Self.restInterval else { return false }
            rests = Rests(last: now)
            return true
        }
        if haveRested || isWaveOver(now: now, openCount: openCount) {
            // On a thread of its own: it takes some milliseconds, in which connections should go on.
            NamedThread.start("memory return") { FreedMemory.giveBack() }
        }
    }

    private func isWaveOver(now: UInt64, openCount: Int) -> Bool {
        guard isWave else { return false }
        return calmSince.withLock { since in
            guard budget.heldBytes + openCount * connectionBytes <= highestBytes / 4 else {
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
            highestCount.store(openCount, ordering: .relaxed)
            return true
        }
    }
}
