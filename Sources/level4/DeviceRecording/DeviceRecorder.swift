package import HTTPModel
package import Scalars
import Synchronization
package import Tables
package import ZumoProtocol

/// Records the activity of installations in the database, with a delay: requests only leave a record in memory.
package final class DeviceRecorder: RequestObserver {
    private let store: any DeviceStore
    private let clock: Clock
    /// Returns the current time for deleting old records; nil while no clock can be trusted.
    private let present: @Sendable () async -> Instant?
    private let waiting = Mutex(PendingSightings())
    private let isFailing = Atomic(false)
    private let report: @Sendable (TableError) -> Void

    /// The interval between writes.
    package static let interval = Duration.seconds(5)
    /// The interval between deletions of old records.
    static let forgettingInterval = Duration.seconds(3_600)
    /// The maximum number of records per transaction, which limits how long clients' writes have to wait.
    static let stepSize = 200

    /// - Parameters:
    ///   - clock: the clock for when requests were seen.
    ///   - present: returns the time for deleting old records, nil while no clock can be trusted; defaults to `clock`.
    ///   - report: called once when recording fails, and again only after it has worked in between.
    package init(
        _ store: any DeviceStore, clock: @escaping Clock = SystemClock.now,
        present: (@Sendable () async -> Instant?)? = nil, report: @escaping @Sendable (TableError) -> Void
    ) {
        self.store = store
        self.clock = clock
        self.present = present ?? { clock() }
        self.report = report
    }

    package func begin(id: String, _ request: HTTPRequest) {}

    package func end(_ event: RequestEvent) {
        guard let sighting = DeviceObservation.sighting(of: event, by: clock) else { return }
        waiting.withLock { $0.add(sighting) }
    }

    /// Writes and deletes records until the task is cancelled.
    package func run(every interval: Duration = interval) async {
        var nextForgetting = ContinuousClock.now
        while (try? await Task.sleep(for: interval)) != nil {
            await flush()
            guard ContinuousClock.now >= nextForgetting, let now = await present() else { continue }
            nextForgetting = .now + Self.forgettingInterval
            // If this fails, it is tried again in an hour.
            _ = try? await store.forgetDevices(unseenSince: now.earlier(by: DeviceLimits.age))
        }
    }

    /// Writes the records that are due. Those that can't be written wait for the next time.
    /// - Parameter isLast: whether there is no next time, so that all records are due.
    package func flush(at now: ContinuousClock.Instant = .now, isLast: Bool = false) async {
        var rest = waiting.withLock { $0.take(at: now, isLast: isLast) }[...]
        while !rest.isEmpty {
            do throws(TableError) {
                try await store.record(Array(rest.prefix(Self.stepSize)))
                isFailing.store(false, ordering: .relaxed)
                rest = rest.dropFirst(Self.stepSize)
            } catch {
                waiting.withLock { [rest] waiting in
                    for sighting in rest { waiting.add(sighting) }
                }
                if !isFailing.exchange(true, ordering: .relaxed) { report(error) }
                return
            }
        }
    }
}
