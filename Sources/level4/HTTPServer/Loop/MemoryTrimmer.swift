internal import HTTPModel
internal import Platform
internal import Synchronization
internal import WorkThreads

/// Returns memory to the system after a wave of large bodies and answers or of connections, or after many connections
/// have become idle: the allocator keeps freed memory that lies between memory in use.
final class MemoryTrimmer: Sendable {
    /// The number of bytes held at once that makes a wave.
    private static let waveBytes = 32 << 20
    /// The wave is over when no more than a quarter has been held for this long.
    private static let calmNanoseconds: UInt64 = 1_000_000_000

    /// The number of connections that have to become idle for trimming to be worth its time.
    private static let restingCount = 500
    /// The minimum time between two trims for idle connections: clients that return every few seconds reuse the memory.
    private static let restInterval: UInt64 = 60_000_000_000

    /// The approximate maximum memory of a connection.
    private let connectionBytes: Int
    private let budget: ByteBudget
    private let highestCount = Atomic<Int>(0)
    private let calmSince = Mutex<UInt64?>(nil)
    private let rests = Mutex(Rests())

    /// The connections that became idle since the last trim for that reason, and when it was.
    private struct Rests {
        var count = 0
        var last: UInt64?
    }

    /// - Parameter areSecured: whether connections are encrypted, which takes four times the memory.
    init(_ budget: ByteBudget, areSecured: Bool) {
        self.budget = budget
        connectionBytes = areSecured ? 64 << 10 : ByteReservation.freeBytes
    }

    /// Whether a trim is due, so that a loop has to keep ticking.
    var isPending: Bool { isWave || rests.withLock { $0.count >= Self.restingCount } }

    private var isWave: Bool { highestBytes >= Self.waveBytes }

    private var highestBytes: Int {
        budget.highestBytes + highestCount.load(ordering: .relaxed) * connectionBytes
    }

    /// To be called for every connection that is opened.
    func didOpen(_ openCount: Int) {
        highestCount.max(openCount, ordering: .relaxed)
    }

    /// To be called for every connection that becomes idle.
    func didRest() {
        rests.withLock { $0.count += 1 }
    }

    /// To be called by every loop at each tick.
    func tick(now: UInt64, openCount: Int) {
        let haveRested = rests.withLock { rests in
            guard rests.count >= Self.restingCount, now >= (rests.last ?? 0) + Self.restInterval else { return false }
            rests = Rests(last: now)
            return true
        }
        if haveRested || isWaveOver(now: now, openCount: openCount) {
            // On a separate thread: it takes some milliseconds, in which connections should go on.
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
