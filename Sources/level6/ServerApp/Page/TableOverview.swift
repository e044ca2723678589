import DataPage
import ServerMetrics
import StoreMetrics
import Synchronization
import Tables

/// Provides the figures of all tables with as few queries as possible: counts come from the census, and sizes are
/// requested at most once a minute.
final class TableOverview: Sendable {
    private struct Sizes: Sendable {
        let bytes: [Identifier: Int64]
        let time: ContinuousClock.Instant
    }

    private let store: any TableStore & StatisticsStore
    private let census: RowCounter
    private let sizes = Mutex<Sizes?>(nil)
    private let isCounting = Atomic(false)

    /// How long sizes are cached.
    static let sizeAge = Duration.seconds(60)

    init(_ store: any TableStore & StatisticsStore, _ census: RowCounter) {
        self.store = store
        self.census = census
    }

    /// Returns the figures of all served tables, without those that the database can't provide now.
    func figures() async -> [Identifier: TableFigures] {
        if census.last.isEmpty, !isCounting.exchange(true, ordering: .relaxed) {
            // Callers don't wait for this, as it may take seconds per table.
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
        // Tables that took too long this time keep their previous size.
        let all = (known?.bytes ?? [:]).merging(bytes) { $1 }
        sizes.withLock { $0 = Sizes(bytes: all, time: .now) }
        return all
    }
}
