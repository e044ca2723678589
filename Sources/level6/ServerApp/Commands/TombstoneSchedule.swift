import Scalars
import ServerLogging
import Tables

/// Periodically removes tombstones that the tables' definitions don't keep any longer, while the server runs.
struct TombstoneSchedule: Sendable {
    /// How long each table keeps its tombstones.
    let keep: [Identifier: Duration]
    /// Returns the current time; nil while no clock can be trusted.
    let present: @Sendable () async -> Instant?
    let logger: Log

    /// The interval between two runs.
    static let interval = Duration.seconds(3_600)
    /// The interval while no clock can be trusted.
    static let doubtInterval = Duration.seconds(1)

    /// Runs until the task is cancelled.
    func run(on store: any TombstoneStore, every interval: Duration = interval) async {
        guard !keep.isEmpty else { return }
        while !Task.isCancelled {
            guard await present() != nil else {
                try? await Task.sleep(for: Self.doubtInterval)
                continue
            }
            for (name, age) in keep.sorted(by: { $0.key.text < $1.key.text }) {
                guard let table = store.table(named: name), table.rules.softDelete, !Task.isCancelled,
                    let before = await present()?.earlier(by: age)
                else { continue }
                do throws(TableError) {
                    let (removed, kept) = try await TombstonePurge.purge(table, before: before, on: store)
                    if removed > 0 {
                        logger.notice("purged tombstones", members: ["table": "\(name)", "count": "\(removed)"])
                    }
                    if !kept.isEmpty {
                        logger.notice(
                            "tombstones stay that others need",
                            members: [
                                "table": "\(name)", "count": "\(kept.count)",
                                "detail": TombstonePurge.words(of: kept).joined(separator: "; "),
                            ])
                    }
                } catch {
                    logger.warning(
                        "tombstones were not purged", members: ["table": "\(name)", "detail": error.detail])
                }
            }
            try? await Task.sleep(for: interval)
        }
    }
}
