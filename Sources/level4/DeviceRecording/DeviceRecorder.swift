package import HTTPModel
package import Scalars
import Synchronization
package import Tables
package import ZumoProtocol

/// Keeps in the database what installations do, a while after they have done it: requests only leave word in memory.
package final class DeviceRecorder: RequestObserver {
    private let store: any DeviceStore
    private let clock: Clock
    /// The present for what is forgotten; nil while no clock may be believed.
    private let present: @Sendable () async -> Instant?
    private let waiting = Mutex(PendingSightings())
    private let isFailing = Atomic(false)
    private let report: @Sendable (TableError) -> Void

    /// The interval between checks for what has to be written.
    package static let interval = Duration.seconds(5)
    /// The interval between checks for what has to be forgotten.
    static let forgettingInterval = Duration.seconds(3_600)
    /// The most records of one transaction: writers of clients wait no longer than for these.
    static let stepSize = 200

    /// - Parameters:
    ///   - clock: when requests were seen.
    ///   - present: the time for what is forgotten, nil while no clock may be believed; the clock's unless given.
    ///   - report: told why nothing could be recorded, once until something is.
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

    /// Writes and forgets until the task is cancelled.
    package func run(every interval: Duration = interval) async {
        var nextForgetting = ContinuousClock.now
        while (try? await Task.sleep(for: interval)) != nil {
            await flush()
            guard ContinuousClock.now >= nextForgetting, let now = await present() else { continue }
            nextForgetting = .now + Self.forgettingInterval
            // What fails now is done in an hour.
            _ = try? await store.forgetDevices(unseenSince: now.earlier(by: DeviceLimits.age))
        }
    }

    /// Writes what is due. What can't be written waits for the next time that it is.
    /// - Parameter isLast: whether there is no next time, and all is due.
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
