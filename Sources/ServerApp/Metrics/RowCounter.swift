package import Scalars
import StoreMetrics
import Synchronization
import Tables

/// Counts the rows of the tables now and then, in the background, so that nobody who asks for metrics waits for it.
final class RowCounter: Sendable {
    /// Not at once: a server that starts has better to do.
    static let firstPause = Duration.seconds(5)

    private let store: any MeasuredStore
    private let clock: Clock
    private let counts = Mutex(Counts())

    private struct Counts {
        var rows: [Identifier: RowCount] = [:]
        var times: [Identifier: Instant] = [:]
    }

    init(_ store: any MeasuredStore, clock: @escaping Clock = SystemClock.now) {
        self.store = store
        self.clock = clock
    }

    /// What the last count came to; empty before the first.
    var last: [Identifier: RowCount] { counts.withLock { $0.rows } }

    /// When each table was counted last.
    var countedAt: [Identifier: Instant] { counts.withLock { $0.times } }

    /// Counts until the task is cancelled.
    func run(after pause: Duration = firstPause) async {
        try? await Task.sleep(for: pause)
        while !Task.isCancelled {
            await count()
            try? await Task.sleep(for: store.countInterval)
        }
    }

    /// Counts once. What can't be counted now keeps its last number.
    func count() async {
        guard let found = try? await store.rowCounts() else { return }
        let now = clock()
        counts.withLock { counts in
            counts.rows.merge(found) { $1 }
            for name in found.keys { counts.times[name] = now }
        }
    }
}
