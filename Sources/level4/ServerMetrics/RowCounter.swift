package import Scalars
package import StoreMetrics
import Synchronization
package import Tables

/// Counts the rows of tables from time to time, in the background, so that requests for metrics don't wait for it.
package final class RowCounter: Sendable {
    /// The pause before the first count, as a starting server has more important work.
    package static let firstPause = Duration.seconds(5)

    private let store: any MeasuredStore
    private let clock: Clock
    private let counts = Mutex(Counts())

    private struct Counts {
        var rows: [Identifier: RowCount] = [:]
        var times: [Identifier: Instant] = [:]
    }

    /// - Parameter clock: the clock for the times of counts.
    package init(_ store: any MeasuredStore, clock: @escaping Clock = SystemClock.now) {
        self.store = store
        self.clock = clock
    }

    /// The result of the last count; empty before the first.
    package var last: [Identifier: RowCount] { counts.withLock { $0.rows } }

    /// When each table was last counted.
    package var countedAt: [Identifier: Instant] { counts.withLock { $0.times } }

    /// Counts until the task is cancelled.
    package func run(after pause: Duration = firstPause) async {
        try? await Task.sleep(for: pause)
        while !Task.isCancelled {
            await count()
            try? await Task.sleep(for: store.countInterval)
        }
    }

    /// Counts once. Tables that can't be counted now keep their last number.
    package func count() async {
        guard let found = try? await store.rowCounts() else { return }
        let now = clock()
        counts.withLock { counts in
            counts.rows.merge(found) { $1 }
            for name in found.keys { counts.times[name] = now }
        }
    }
}
