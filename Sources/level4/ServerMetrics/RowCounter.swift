package import Scalars
package import StoreMetrics
import Synchronization
package import Tables

/// Counts the rows of the tables now and then, in the background, so that nobody who asks for metrics waits for it.
package final class RowCounter: Sendable {
    /// Not at once: a server that starts has better to do.
    package static let firstPause = Duration.seconds(5)

    private let store: any MeasuredStore
    private let clock: Clock
    private let counts = Mutex(Counts())

    private struct Counts {
        var rows: [Identifier: RowCount] = [:]
        var times: [Identifier: Instant] = [:]
    }

    /// - Parameter clock: when rows were counted.
    package init(_ store: any MeasuredStore, clock: @escaping Clock = SystemClock.now) {
        self.store = store
        self.clock = clock
    }

    /// What the last count came to; empty before the first.
    package var last: [Identifier: RowCount] { counts.withLock { $0.rows } }

    /// When each table was counted last.
    package var countedAt: [Identifier: Instant] { counts.withLock { $0.times } }

    /// Counts until the task is cancelled.
    package func run(after pause: Duration = firstPause) async {
        try? await Task.sleep(for: pause)
        while !Task.isCancelled {
            await count()
            try? await Task.sleep(for: store.countInterval)
        }
    }

    /// Counts once. What can't be counted now keeps its last number.
    package func count() async {
        guard let found = try? await store.rowCounts() else { return }
        let now = clock()
        counts.withLock { counts in
            counts.rows.merge(found) { $1 }
            for name in found.keys { counts.times[name] = now }
        }
    }
}
