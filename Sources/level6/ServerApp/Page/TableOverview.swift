import DataPage
import ServerMetrics
import StoreMetrics
import Synchronization
import Tables

/// Provides the figures of all tables, and asks the database for as little as possible: counts come from the census,
/// sizes are requested at most once a minute.
final class TableOverview: Sendable {
    private struct Sizes: Sendable {
        let bytes: [Identifier: Int64]
        let time: ContinuousClock.Instant
    }

    private let store: any TableStore & StatisticsStore
    private let census: RowCounter
    private let sizes = Mutex<Sizes?>(nil)
    private let isCounting = Atomic(false)

    /// How long sizes are as good as new.
    static let sizeAge = Duration.seconds(60)

    init(_ store: any TableStore & StatisticsStore, _ census: RowCounter) {
        self.store = store
        self.census = census
    }

    /// The figures of every served table. What the database doesn't report now is missing in them.
    func figures() async -> [Identifier: TableFigures] {
        if census.last.isEmpty, !isCounting.exchange(true, ordering: .relaxed) {
            // Whoever asks doesn't wait for it, as it may take seconds for a table.
            Task {
                await census.count()
                isCounting.store(false, ordering: .relaxed)
            }
        }
        let (counts, countedAt) = (census.last, census.countedAt)
        let bytes = await currentSizes()
        let changes = (try? await store.lastChanges()) ?? [:]
        var figures: [Identifier: TableFigures] = [:]
        for name in store.tables().map(\.name) {
            var table = TableFigures()
            table.bytes = bytes[name]
            table.lastChange = changes[name]
            if let count = counts[name] {
                table.rows = count.rows - (count.tombstones ?? 0)
                table.deleted = count.tombstones
                table.countedAt = countedAt[name]
            }
            figures[name] = table
        }
        return figures
    }

    private func currentSizes() async -> [Identifier: Int64] {
        let known = sizes.withLock { $0 }
        if let known, known.time.duration(to: .now) < Self.sizeAge { return known.bytes }
        guard let bytes = try? await store.sizes() else { return known?.bytes ?? [:] }
        // What took too long this time keeps the size that it had.
        let all = (known?.bytes ?? [:]).merging(bytes) { $1 }
        sizes.withLock { $0 = Sizes(bytes: all, time: .now) }
        return all
    }
}
