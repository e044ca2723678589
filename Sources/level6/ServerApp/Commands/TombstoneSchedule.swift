import Scalars
import ServerLogging
import Tables

/// Removes the tombstones that the tables' definitions keep no longer, now and then while the server runs.
struct TombstoneSchedule: Sendable {
    /// How long each table keeps them.
    let keep: [Identifier: Duration]
    /// The present; nil while no clock may be believed.
    let present: @Sendable () async -> Instant?
    let logger: Log

    /// From one look to the next.
    static let interval = Duration.seconds(3_600)
    /// The same while no clock may be believed.
    static let doubtInterval = Duration.seconds(1)

    /// Goes on until the task is cancelled.
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
