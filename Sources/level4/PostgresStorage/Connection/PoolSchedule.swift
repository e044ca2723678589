import Tables

/// Decides who gets which connection, and when another is made, for a `ConnectionPool` but without its connections,
/// threads and clock.
struct PoolSchedule<Connection: Sendable, Waiter: AnyObject & Sendable>: Sendable {
    typealias Use = ConnectionPool.Use

    /// A connection for one use.
    struct Grant: Sendable {
        let connection: Connection
        /// Whether it has to be checked first: what ended another connection may have ended this one.
        var mayBeBroken = false
    }

    /// The actions to take after a change.
    struct Actions: Sendable {
        var answers: [(waiter: Waiter, result: Result<Grant, PostgresFailure>)] = []
        /// Whether to wake the thread that makes connections.
        var wakesMaker = false
        var note: Note?
    }

    /// A note for operators.
    enum Note: Sendable, Equatable {
        /// The server allows no more than these.
        case shortage(Int, PostgresFailure)
        case plenty(Int)
    }

    /// The next step of the thread that makes connections.
    enum MakerStep: Sendable, Equatable {
        case make
        case pause(until: ContinuousClock.Instant)
        /// Until it is woken.
        case sleep
        case end
    }

    private let limit: Int
    /// The idle connections, the one used last at the end.
    private var idle: [Grant] = []
    /// The number of all connections.
    private var open = 0
    private var inUse: [Use: Int] = [:]
    private var waiting: [(waiter: Waiter, use: Use)] = []
    private var failures = 0
    /// Why the last attempt to make a connection failed; nil if it didn't.
    private var failure: PostgresFailure?
    private var nextAttempt: ContinuousClock.Instant?
    private var pause = Self.shortestPause
    /// How many connections there were when the server refused another one.
    private var given: Int?
    private var reported: Int?
    private var makerSleeps = false
    private var isClosed = false

    // So that a server is used again within a second of its return, without being flooded while it is away.
    static var shortestPause: Duration { .milliseconds(50) }
    static var longestPause: Duration { .seconds(1) }
    /// How often a server that allows no more connections is asked again.
    static var pauseInShortage: Duration { .seconds(5) }

    /// - Parameter limit: the maximum number of connections.
    init(limit: Int) {
        self.limit = limit
    }

    /// Why there is no connection at all; nil if there is one or none was requested.
    var outage: PostgresFailure? { open == 0 ? failure : nil }

    /// What the connections are being used for.
    var load: ConnectionPool.Load {
        ConnectionPool.Load(
            idle: idle.count, reading: inUse[.reading, default: 0], listing: inUse[.listing, default: 0],
            writing: inUse[.writing, default: 0], limit: limit, waiting: waiting.count, failures: failures)
    }

    /// Takes an idle connection. Any waiting caller that could use it would have got it already.
    mutating func take(_ use: Use) -> Grant? {
        guard mayHaveOne(use), let grant = idle.popLast() else { return nil }
        inUse[use, default: 0] += 1
        assert(isSound)
        return grant
    }

    /// Requests a connection: returns it, or why there is none; nil if the caller has to wait.
    mutating func ask(
        _ waiter: Waiter, for use: Use, at now: ContinuousClock.Instant
    ) -> (result: Result<Grant, PostgresFailure>?, wakesMaker: Bool) {
        if isClosed { return (.failure(.table(.closed)), false) }
        if let outage, let nextAttempt, now < nextAttempt { return (.failure(outage), false) }
        if let grant = take(use) { return (.success(grant), false) }
        assert(!waiting.contains { $0.waiter === waiter })
        waiting.append((waiter, use))
        let actions = actions()
        assert(actions.answers.isEmpty, "what nobody could take before is still there for nobody")
        return (nil, actions.wakesMaker)
    }

    /// Ends a caller's wait.
    /// - Returns: why it got nothing; nil if it has been answered.
    mutating func giveUp(_ waiter: Waiter) -> PostgresFailure? {
        guard let index = waiting.firstIndex(where: { $0.waiter === waiter }) else { return nil }
        waiting.remove(at: index)
        assert(isSound)
        return failure ?? .unreachable(detail: "no database connection became free in time")
    }

    /// Takes a connection back.
    /// - Parameter connection: nil if it can't be used any more.
    mutating func giveBack(_ connection: Connection?, from use: Use) -> Actions {
        inUse[use, default: 0] -= 1
        if let connection, !isClosed {
            idle.append(Grant(connection: connection))
        } else {
            open -= 1
            for index in idle.indices { idle[index].mayBeBroken = true }
        }
        return actions()
    }

    /// Hands out no more connections.
    /// - Returns: also the idle connections.
    mutating func close() -> (actions: Actions, idle: [Grant]) {
        isClosed = true
        open -= idle.count
        defer { (waiting, idle) = ([], []) }
        return (Actions(answers: answers(.table(.closed)), wakesMaker: true), idle)
    }

    /// Returns the next step for the thread that makes connections.
    mutating func nextStep(at now: ContinuousClock.Instant) -> MakerStep {
        if isClosed { return .end }
        makerSleeps = !isShort
        assert(isSound)
        if makerSleeps { return .sleep }
        return nextAttempt.map { now < $0 ? .pause(until: $0) : .make } ?? .make
    }

    /// Adds a connection that was made.
    mutating func made(_ connection: Connection) -> Actions {
        failure = nil
        nextAttempt = nil
        pause = Self.shortestPause
        // There are now more than the server allowed before, so it may allow yet more.
        given = nil
        guard !isClosed else { return Actions() }
        precondition(open < limit, "there are never more connections than the limit")
        open += 1
        idle.append(Grant(connection: connection))
        var actions = actions()
        if let before = reported, open > before {
            reported = nil
            actions.note = .plenty(open)
        }
        return actions
    }

    /// Records that no connection could be made.
    /// - Parameter share: the part of the pause to wait before the next attempt, which differs between servers.
    mutating func failed(_ failure: PostgresFailure, at now: ContinuousClock.Instant, share: Double) -> Actions {
        self.failure = failure
        failures += 1
        if open > 0, failure.meansNoMoreConnections {
            given = open
            nextAttempt = now + Self.pauseInShortage
            var actions = actions()
            if reported != open {
                reported = open
                actions.note = .shortage(open, failure)
            }
            return actions
        }
        nextAttempt = now + pause * share
        pause = min(pause * 2, Self.longestPause)
        guard open == 0 else {
            // Until another one is made, one of these has to be left for writers.
            given = open
            return actions()
        }
        defer { waiting = [] }
        return Actions(answers: answers(failure))
    }

    private func answers(_ failure: PostgresFailure) -> [(waiter: Waiter, result: Result<Grant, PostgresFailure>)] {
        waiting.map { ($0.waiter, .failure(failure)) }
    }

    /// Whether a use may take a connection: readers leave one to writers, and lists one more to quick reads, if any.
    private func mayHaveOne(_ use: Use) -> Bool {
        if use == .writing { return true }
        let there = min(given ?? limit, limit)
        let lists = inUse[.listing, default: 0]
        let isFree = inUse[.reading, default: 0] + lists < max(there - 1, 1)
        return isFree && (use == .reading || lists < max(there - 2, 1))
    }

    /// Whether a caller is waiting that another connection would serve.
    private var isShort: Bool {
        idle.isEmpty && open < limit && waiting.contains { mayHaveOne($0.use) }
    }

    /// Gives idle connections to waiting callers, in order, and wakes the thread that makes connections if necessary.
    private mutating func actions() -> Actions {
        var actions = Actions()
        while !idle.isEmpty, let index = waiting.firstIndex(where: { mayHaveOne($0.use) }) {
            let (waiter, use) = waiting.remove(at: index)
            actions.answers.append((waiter, .success(idle.removeLast())))
            inUse[use, default: 0] += 1
        }
        if makerSleeps, isShort {
            makerSleeps = false
            actions.wakesMaker = true
        }
        assert(isSound)
        return actions
    }

    /// The invariants between any two calls.
    private var isSound: Bool {
        let used = inUse.values.reduce(0, +)
        let areCounted = open == idle.count + used && open <= limit && inUse.values.allSatisfy { $0 >= 0 }
        // No caller waits while it could have a connection, or while no thread is going to make one.
        let isServed = idle.isEmpty || !waiting.contains { mayHaveOne($0.use) }
        return areCounted && isServed && !(makerSleeps && isShort) && !(isClosed && (!idle.isEmpty || !waiting.isEmpty))
    }
}
