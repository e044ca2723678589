import StoreMetrics
import Synchronization
import Tables

/// Counts the rows of the tables now and then, in the background, so that nobody who asks for metrics waits for it.
final class RowCensus: Sendable {
    /// Not at once: a server that starts has better to do.
    static let firstPause = Duration.seconds(5)

    private let store: any MeasuredStore
    private let counts = Mutex<[Identifier: RowCount]>([:])

    init(_ store: any MeasuredStore) {
        self.store = store
    }

    /// What the last count came to; empty before the first.
    var last: [Identifier: RowCount] { counts.withLock { $0 } }

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
        counts.withLock { $0.merge(found) { $1 } }
    }
}
