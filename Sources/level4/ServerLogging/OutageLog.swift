import Synchronization

/// Reports requests that were refused because the database was unavailable, locked or full: at most one line a second
/// with their number, and one when the database is back and no request has been refused for a second.
final class OutageLog: Sendable {
    private struct Outage {
        let start: ContinuousClock.Instant
        var lastLine: ContinuousClock.Instant?
        var lastRefusal: ContinuousClock.Instant
        /// The number of refused requests not reported yet.
        var untold = 0
        var count = 0
    }

    private let logger: Log
    private let now: @Sendable () -> ContinuousClock.Instant
    private let outage = Mutex<Outage?>(nil)
    /// Lets successful requests see cheaply that there is nothing to report.
    private let isOut = Atomic(false)

    private static let interval = Duration.seconds(1)

    init(_ logger: Log, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.logger = logger
        self.now = now
    }

    /// Counts a refused request.
    func refuse(because detail: String) {
        let time = now()
        let count = outage.withLock { outage -> Int? in
            var current = outage ?? Outage(start: time, lastRefusal: time)
            defer { outage = current }
            current.count += 1
            current.untold += 1
            current.lastRefusal = time
            if let last = current.lastLine, last.duration(to: time) < Self.interval { return nil }
            current.lastLine = time
            defer { current.untold = 0 }
            return current.untold
        }
        isOut.store(true, ordering: .relaxed)
        guard let count else { return }
        logger.error(
            "requests refused, since the database can't be used",
            members: ["count": "\(count)", "detail": detail])
    }

    /// Records a request that the database has served.
    func serve() {
        guard isOut.load(ordering: .relaxed) else { return }
        let time = now()
        let over = outage.withLock { outage -> Outage? in
            guard let current = outage, current.lastRefusal.duration(to: time) >= Self.interval else { return nil }
            outage = nil
            isOut.store(false, ordering: .relaxed)
            return current
        }
        guard let over else { return }
        logger.notice(
            "the database can be used again",
            members: [
                "refused": "\(over.count)",
                "seconds": "\(over.start.duration(to: over.lastRefusal).components.seconds)",
            ])
    }
}
