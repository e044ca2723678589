import Dispatch
import Synchronization
import Tables
import WorkThreads

/// The connections of a store, limited by its settings and by the server. A separate thread makes them, one at a time,
/// and only while there is a caller that no idle connection can serve. `PoolSchedule` decides who gets which.
final class ConnectionPool: Sendable {
    enum Use {
        case reading, writing
        /// For a list, which may take long.
        case listing
    }

    /// What the connections are being used for at one moment.
    struct Load {
        let idle, reading, listing, writing, limit, waiting: Int
        /// The number of failed attempts to connect since the start.
        let failures: Int
    }

    private typealias Schedule = PoolSchedule<PostgresConnection, Waiter>

    /// A caller that waits for a connection.
    ///
    /// Sendable without the compiler's proof: the result is written before the semaphore is signalled and read later.
    private final class Waiter: @unchecked Sendable {
        let wake = DispatchSemaphore(value: 0)
        var result: Result<Schedule.Grant, PostgresFailure> = .failure(.table(.closed))
    }

    private let address: PostgresAddress
    private let settings: PostgresSettings
    private let schedule: Mutex<Schedule>
    private let wake = DispatchSemaphore(value: 0)
    private let threads = RunningThreads()

    /// - Parameter limit: the maximum number of connections.
    init(_ address: PostgresAddress, _ settings: PostgresSettings, limit: Int) {
        self.address = address
        self.settings = settings
        schedule = Mutex(Schedule(limit: limit))
        threads.start("zumod-connect") { [self] in makeConnections() }
    }

    /// Takes a connection, which is the caller's until it is given back.
    /// - Throws: at once if there is none and the last attempt to make one has failed.
    func take(_ use: Use, until deadline: ContinuousClock.Instant) throws(PostgresFailure) -> PostgresConnection {
        while true {
            let idle = schedule.withLock { $0.take(use) }
            let grant = if let idle { idle } else { try wait(for: use, until: deadline) }
            if grant.connection.isUsable(mayBeBroken: grant.mayBeBroken) { return grant.connection }
            giveBack(grant.connection, from: use)
        }
    }

    /// Takes a connection back, and drops it if it is broken.
    func giveBack(_ connection: PostgresConnection, from use: Use) {
        let isOfUse = connection.isAlive && connection.hasOwnSettings
        perform(schedule.withLock { $0.giveBack(isOfUse ? connection : nil, from: use) })
    }

    /// Hands out no more connections, and closes the idle ones.
    func close() {
        let (actions, idle) = schedule.withLock { $0.close() }
        perform(actions)
        // They are released outside the lock.
        withExtendedLifetime(idle) {}
    }

    /// Returns when the thread that makes connections has ended.
    func ended() async {
        await threads.ended()
    }

    /// Why there is no connection at all; nil if there is one or none was requested.
    var failure: PostgresFailure? { schedule.withLock { $0.outage } }

    /// What the connections are being used for.
    var load: Load { schedule.withLock { $0.load } }

    private func wait(
        for use: Use, until deadline: ContinuousClock.Instant
    ) throws(PostgresFailure) -> Schedule.Grant {
        let waiter = Waiter()
        let (result, wakesMaker) = schedule.withLock { $0.ask(waiter, for: use, at: .now) }
        if wakesMaker { wake.signal() }
        if let result { return try result.get() }
        if waiter.wake.wait(timeout: deadline.dispatchTime) == .timedOut {
            if let failure = schedule.withLock({ $0.giveUp(waiter) }) { throw failure }
            // The result is on its way.
            waiter.wake.wait()
        }
        return try waiter.result.get()
    }

    private func perform(_ actions: Schedule.Actions) {
        for (waiter, result) in actions.answers {
            waiter.result = result
            waiter.wake.signal()
        }
        if actions.wakesMaker { wake.signal() }
        if let note = actions.note { settings.report(words(of: note)) }
    }

    /// The loop of the pool's thread.
    private func makeConnections() {
        while true {
            switch schedule.withLock({ $0.nextStep(at: .now) }) {
            case .make: makeOne()
            case .pause(let end): _ = wake.wait(timeout: end.dispatchTime)
            case .sleep: wake.wait()
            case .end: return
            }
        }
    }

    private func makeOne() {
        do throws(PostgresFailure) {
            let connection = try PostgresConnection(address, settings)
            perform(schedule.withLock { $0.made(connection) })
        } catch {
            let share = Double.random(in: 0.5...1)
            perform(schedule.withLock { $0.failed(error, at: .now, share: share) })
        }
    }

    private func words(of note: Schedule.Note) -> PostgresNote {
        switch note {
        case .shortage(let open, let failure):
            .warning(
                """
                the database gives \(open) connection\(open == 1 ? "" : "s") where \
                \(settings.readingConnections + settings.writingConnections) are wanted \
                (\(settings.readingConnections) that read, \(settings.writingConnections) that write): \
                \(failure.words). The server goes on with what it has; raise the CONNECTION LIMIT of the role or the \
                database, the pooler's limit or max_connections, or lower database.connections
                """)
        case .plenty(let open):
            .notice("the database gives more connections again: \(open)")
        }
    }
}

extension ContinuousClock.Instant {
    /// The same time for semaphores.
    var dispatchTime: DispatchTime {
        .now() + .milliseconds(Int(max(self - ContinuousClock.now, .zero).milliseconds) + 1)
    }
}
