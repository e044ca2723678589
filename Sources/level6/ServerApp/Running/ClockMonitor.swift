import MetricSeries
import Scalars
import ServerLogging
import Tables

/// Checks the clocks while a server runs, reports jumps, and decides by which time old data is removed.
struct ClockMonitor: Sendable {
    let time: TrustedTime
    let store: any TimeStore
    let registry: MetricRegistry
    let logger: Log

    /// The interval between checks of the machine's clock.
    static let interval = Duration.seconds(1)
    /// The interval between queries to the database.
    static let askingInterval = Duration.seconds(30)
    /// The interval at which trusted times are recorded in the database.
    static let rememberingInterval = Duration.seconds(3_600)
    /// How long the database remembers who wrote to it.
    private static let writersAge = Duration.seconds(7 * 86_400)

    /// The current time by all clocks; nil if it can't be trusted.
    func present() async -> Instant? {
        guard time.now() != nil, await ask() else { return nil }
        return time.now()
    }

    /// Checks until the task is cancelled.
    func run() async {
        let jumps = registry.counter("zumod_clock_jumps_total")
        let doubt = registry.gauge("zumod_clock_unproven_seconds")
        var (nextAsking, nextRemembering) = (ContinuousClock.now, ContinuousClock.now)
        // Whether it was reported that a clock is not trusted.
        var isWorried = false
        while !Task.isCancelled {
            // If the database has its own clock, it is queried often until that is trusted.
            if ContinuousClock.now >= nextAsking || time.now() == nil {
                await ask()
                nextAsking = .now + Self.askingInterval
            }
            for found in time.look() {
                if case .jumped = found.note { jumps.increment() }
                if found.note != .believed { isWorried = true }
                tell(found.note, of: found.side)
            }
            if isWorried, time.now() != nil {
                isWorried = false
                logger.notice("the clock is believed again: what is old is purged")
            }
            doubt.set(time.doubt / .seconds(1))
            if ContinuousClock.now >= nextRemembering, let present = await present() {
                nextRemembering = .now + Self.rememberingInterval
                // If this fails, it is tried again in an hour.
                try? await store.remember(believed: present)
                try? await store.forgetWriters(before: present.earlier(by: Self.writersAge))
            }
            try? await Task.sleep(for: Self.interval)
        }
    }

    /// Queries the times that the database knows.
    /// - Returns: whether it answered.
    @discardableResult
    func ask() async -> Bool {
        let wasAtOdds = time.isAtOdds
        guard let reading = try? await store.timeReading() else { return false }
        // A database of an earlier version only has stamps. Later ones than now are from the clock in question.
        if reading.believed == nil, let stamp = reading.latestStamp, stamp <= SystemClock.now() {
            try? await store.remember(believed: stamp)
        }
        time.know(reading)
        if time.isAtOdds, !wasAtOdds {
            logger.warning(
                "the clocks of the server and its database differ by more than a day: nothing is purged until they agree",
                members: ["database": "\(reading.clock?.wireText ?? "")"])
        }
        return true
    }

    private func tell(_ note: ClockTrust.Note, of side: TrustedTime.Side) {
        switch note {
        case .jumped(let milliseconds):
            logger.warning(
                "the clock has jumped: nothing is purged until it has run evenly",
                members: ["clock": side.rawValue, "ms": "\(milliseconds)"])
        case .onTrial(let milliseconds):
            logger.warning(
                """
                the clock is far ahead of the latest time that the database knows: nothing is purged before it has run so for \
                a day, or `zumod table purge … --clock-is-right` says that it is right
                """, members: ["clock": side.rawValue, "ms": "\(milliseconds)"])
        case .believed: break
        }
    }
}
