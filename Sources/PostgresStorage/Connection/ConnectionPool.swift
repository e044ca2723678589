import Dispatch
import Synchronization
import Tables
import WorkThreads

/// The connections of a store, at most so many as it may have and the server gives. A thread of their own makes them,
/// one at a time and only while somebody waits whom no idle one can serve.
final class ConnectionPool: Sendable {
    enum Use {
        case reading, writing
        /// For a list, which may take long.
        case listing
    }

    private let address: PostgresAddress
    private let settings: PostgresSettings
    private let limit: Int
    private let state = Mutex(State())
    private let wake = DispatchSemaphore(value: 0)
    private let threads = RunningThreads()

    // So that a server that comes back is used within a second, and one that is away isn't stormed.
    private static let shortestPause = Duration.milliseconds(50)
    private static let longestPause = Duration.seconds(1)
    /// How often a server that gives no more connections is asked for more.
    private static let pauseInShortage = Duration.seconds(5)

    /// - Parameter limit: the most connections.
    init(_ address: PostgresAddress, _ settings: PostgresSettings, limit: Int) {
        self.address = address
        self.settings = settings
        self.limit = limit
        threads.start("zumod-connect") { [self] in makeConnections() }
    }

    /// A connection of the caller's own until it is given back.
    /// - Throws: at once while none is there and the last attempt to make one has just failed.
    func take(_ use: Use, until deadline: ContinuousClock.Instant) throws(PostgresFailure) -> PostgresConnection {
        while true {
            let connection = try waitForOne(use, until: deadline)
            if connection.isUsable { return connection }
            giveBack(connection, from: use)
        }
    }

    /// Takes a connection back, and gives it up where it broke.
    func giveBack(_ connection: PostgresConnection, from use: Use) {
        let (wakes, granted) = state.withLock { state -> (Bool, [Waiter]) in
            state.inUse[use, default: 0] -= 1
            if connection.isAlive, connection.hasOwnSettings, !state.isClosed {
                state.idle.append(connection)
            } else {
                state.open -= 1
                // What ended this one may have ended the others: they are looked at before their next use.
                for other in state.idle { other.mayBeBroken = true }
            }
            let granted = state.grant(limit)
            return (state.wantsMaker(limit), granted)
        }
        for waiter in granted { waiter.wake.signal() }
        if wakes { wake.signal() }
    }

    /// Gives no more connections out, and closes those that are idle.
    func close() {
        let (waiting, idle) = state.withLock { state in
            state.isClosed = true
            defer {
                state.waiting = []
                state.idle = []
            }
            for waiter in state.waiting { waiter.result = .failure(.table(.closed)) }
            return (state.waiting, state.idle)
        }
        for waiter in waiting { waiter.wake.signal() }
        wake.signal()
        // Their end is outside of the lock.
        withExtendedLifetime(idle) {}
    }

    /// Returns when the thread that makes connections has ended.
    func ended() async {
        await threads.ended()
    }

    /// Why there is no connection at all; nil where there is one or none was asked for.
    var failure: PostgresFailure? {
        state.withLock { $0.open == 0 ? $0.failure : nil }
    }

    /// What the connections do.
    var load: Load {
        state.withLock { state in
            Load(
                idle: state.idle.count, reading: state.inUse[.reading, default: 0],
                listing: state.inUse[.listing, default: 0], writing: state.inUse[.writing, default: 0], limit: limit,
                waiting: state.waiting.count, failures: state.failures)
        }
    }

    /// What the connections do at a moment.
    struct Load {
        let idle, reading, listing, writing, limit, waiting: Int
        /// Attempts to connect that failed since the start.
        let failures: Int
    }

    private func waitForOne(
        _ use: Use, until deadline: ContinuousClock.Instant
    ) throws(PostgresFailure) -> PostgresConnection {
        if let connection = state.withLock({ $0.takeIdle(use, limit) }) { return connection }
        let waiter = Waiter(use)
        let (known, wakes) = state.withLock { state -> (Result<PostgresConnection, PostgresFailure>?, Bool) in
            if state.isClosed { return (.failure(.table(.closed)), false) }
            if state.open == 0, let failure = state.failure, ContinuousClock.now < state.nextAttempt {
                return (.failure(failure), false)
            }
            if let connection = state.takeIdle(use, limit) { return (.success(connection), false) }
            state.waiting.append(waiter)
            return (nil, state.wantsMaker(limit))
        }
        if wakes { wake.signal() }
        if let known { return try known.get() }
        _ = waiter.wake.wait(timeout: deadline.dispatchTime)
        let result = state.withLock { state -> Result<PostgresConnection, PostgresFailure> in
            if let result = waiter.result { return result }
            state.waiting.removeAll { $0 === waiter }
            return .failure(state.failure ?? .unreachable(detail: "no database connection became free in time"))
        }
        return try result.get()
    }

    /// What the pool's thread does.
    private func makeConnections() {
        while true {
            let (isOver, pause) = state.withLock { state -> (Bool, Duration?) in
                if state.isClosed { return (true, nil) }
                guard state.isShort(limit) else {
                    state.makerSleeps = true
                    return (false, .seconds(3_600))
                }
                let pause = state.nextAttempt - ContinuousClock.now
                return (false, pause > .zero ? pause : nil)
            }
            if isOver { return }
            guard let pause else {
                makeOne()
                continue
            }
            _ = wake.wait(timeout: (ContinuousClock.now + pause).dispatchTime)
            state.withLock { $0.makerSleeps = false }
        }
    }

    private func makeOne() {
        let result: Result<PostgresConnection, PostgresFailure>
        do throws(PostgresFailure) {
            result = .success(try PostgresConnection(address, settings))
        } catch {
            result = .failure(error)
        }
        let (granted, note) = state.withLock { state -> ([Waiter], PostgresNote?) in
            switch result {
            case .success(let connection):
                state.failure = nil
                state.pause = Self.shortestPause
                // It went beyond what the server gave last: more may be had.
                state.given = nil
                guard !state.isClosed else { return ([], nil) }
                state.open += 1
                state.idle.append(connection)
                return (state.grant(limit), state.noteOfPlenty())
            case .failure(let failure):
                state.failure = failure
                state.failures += 1
                if state.open > 0, failure.meansNoMoreConnections {
                    state.given = state.open
                    state.nextAttempt = ContinuousClock.now + Self.pauseInShortage
                    return (state.grant(limit), state.noteOfShortage(failure, settings))
                }
                state.nextAttempt = ContinuousClock.now + state.pause * Double.random(in: 0.5...1)
                state.pause = min(state.pause * 2, Self.longestPause)
                guard state.open == 0 else {
                    // Until one is made again, writers have to be left one of these.
                    state.given = state.open
                    return (state.grant(limit), nil)
                }
                defer { state.waiting = [] }
                for waiter in state.waiting { waiter.result = .failure(failure) }
                return (state.waiting, nil)
            }
        }
        for waiter in granted { waiter.wake.signal() }
        if let note { settings.report(note) }
    }
}

extension ConnectionPool {
    /// Who waits for a connection.
    ///
    /// Sendable without the compiler's proof: the result is only touched while the pool's state is locked.
    private final class Waiter: @unchecked Sendable {
        let use: Use
        let wake = DispatchSemaphore(value: 0)
        var result: Result<PostgresConnection, PostgresFailure>?

        init(_ use: Use) {
            self.use = use
        }
    }

    private struct State {
        /// Those that wait for work, the one used last at the end.
        var idle: [PostgresConnection] = []
        /// All that there are.
        var open = 0
        var inUse: [Use: Int] = [:]
        var waiting: [Waiter] = []
        var failures = 0
        /// Why the last attempt to make a connection failed; nil where it didn't.
        var failure: PostgresFailure?
        var nextAttempt = ContinuousClock.now
        var pause = ConnectionPool.shortestPause
        /// How many the server gave when it refused another.
        var given: Int?
        var reported: Int?
        var makerSleeps = false
        var isClosed = false

        /// Readers leave one for the writers, and lists one more for quick reads, as far as there are any.
        private func mayHaveOne(_ use: Use, _ limit: Int) -> Bool {
            let there = min(given ?? limit, limit)
            let lists = inUse[.listing, default: 0]
            let isFree = inUse[.reading, default: 0] + lists < max(there - 1, 1)
            return switch use {
            case .writing: true
            case .reading: isFree
            case .listing: isFree && lists < max(there - 2, 1)
            }
        }

        /// Whether somebody waits whom another connection would serve.
        func isShort(_ limit: Int) -> Bool {
            idle.isEmpty && open < limit && waiting.contains { mayHaveOne($0.use, limit) }
        }

        /// Whether the thread that makes connections has to be woken.
        mutating func wantsMaker(_ limit: Int) -> Bool {
            guard makerSleeps, isShort(limit) else { return false }
            makerSleeps = false
            return true
        }

        /// An idle connection; those that wait and could have it have it already.
        mutating func takeIdle(_ use: Use, _ limit: Int) -> PostgresConnection? {
            guard mayHaveOne(use, limit), let connection = idle.popLast() else { return nil }
            inUse[use, default: 0] += 1
            return connection
        }

        /// Hands idle connections to those that wait, in their order.
        mutating func grant(_ limit: Int) -> [Waiter] {
            var granted: [Waiter] = []
            while !idle.isEmpty, let index = waiting.firstIndex(where: { mayHaveOne($0.use, limit) }) {
                let waiter = waiting.remove(at: index)
                waiter.result = .success(idle.removeLast())
                inUse[waiter.use, default: 0] += 1
                granted.append(waiter)
            }
            return granted
        }

        mutating func noteOfShortage(_ failure: PostgresFailure, _ settings: PostgresSettings) -> PostgresNote? {
            guard reported != open else { return nil }
            reported = open
            return .warning(
                """
                the database gives \(open) connection\(open == 1 ? "" : "s") where \
                \(settings.readingConnections + settings.writingConnections) are wanted \
                (\(settings.readingConnections) that read, \(settings.writingConnections) that write): \
                \(failure.words). The server goes on with what it has; raise the CONNECTION LIMIT of the role or the \
                database, the pooler's limit or max_connections, or lower database.connections
                """)
        }

        mutating func noteOfPlenty() -> PostgresNote? {
            guard let before = reported, open > before else { return nil }
            reported = nil
            return .notice("the database gives more connections again: \(open)")
        }
    }
}

extension ContinuousClock.Instant {
    /// The same moment for what waits on semaphores.
    var dispatchTime: DispatchTime {
        .now() + .milliseconds(Int(max(self - ContinuousClock.now, .zero).milliseconds) + 1)
    }
}
