import Tables

/// Who gets which connection, and when another is made: the decisions of a `ConnectionPool`, without its connections, its
/// threads and its clock.
struct PoolSchedule<Connection: Sendable, Waiter: AnyObject & Sendable>: Sendable {
    typealias Use = ConnectionPool.Use

    /// A connection for one use.
    struct Grant: Sendable {
        let connection: Connection
        /// Whether it has to be looked at first: what ended another one may have ended this one.
        var mayBeBroken = false
    }

    /// What has to be done after a change.
    struct Actions: Sendable {
        var answers: [(waiter: Waiter, result: Result<Grant, PostgresFailure>)] = []
        /// Whether the thread that makes connections is woken.
        var wakesMaker = false
        var note: Note?
    }

    /// What whoever looks after the server is told.
    enum Note: Sendable, Equatable {
        /// The server gives no more than these.
        case shortage(Int, PostgresFailure)
        case plenty(Int)
    }

    /// What the thread that makes connections does.
    enum MakerStep: Sendable, Equatable {
        case make
        case pause(until: ContinuousClock.Instant)
        /// Until it is woken.
        case sleep
        case end
    }

    private let limit: Int
    /// Those that wait for work, the one used last at the end.
    private var idle: [Grant] = []
    /// All that there are.
    private var open = 0
    private var inUse: [Use: Int] = [:]
    private var waiting: [(waiter: Waiter, use: Use)] = []
    private var failures = 0
    /// Why the last attempt to make a connection failed; nil where it didn't.
    private var failure: PostgresFailure?
    private var nextAttempt: ContinuousClock.Instant?
    private var pause = Self.shortestPause
    /// How many the server gave when it refused another.
    private var given: Int?
    private var reported: Int?
    private var makerSleeps = false
    private var isClosed = false

    // So that a server that comes back is used within a second, and one that is away isn't stormed.
    static var shortestPause: Duration { .milliseconds(50) }
    static var longestPause: Duration { .seconds(1) }
    /// How often a server that gives no more connections is asked for more.
    static var pauseInShortage: Duration { .seconds(5) }

    /// - Parameter limit: the most connections.
    init(limit: Int) {
        self.limit = limit
    }

    /// Why there is no connection at all; nil where there is one or none was asked for.
    var outage: PostgresFailure? { open == 0 ? failure : nil }

    /// What the connections do.
    var load: ConnectionPool.Load {
        ConnectionPool.Load(
            idle: idle.count, reading: inUse[.reading, default: 0], listing: inUse[.listing, default: 0],
            writing: inUse[.writing, default: 0], limit: limit, waiting: waiting.count, failures: failures)
    }

    /// An idle connection; those that wait and could have it have it already.
    mutating func take(_ use: Use) -> Grant? {
        guard mayHaveOne(use), let grant = idle.popLast() else { return nil }
        inUse[use, default: 0] += 1
        assert(isSound)
        return grant
    }

    /// A connection for somebody, or why there is none; nil where they wait for an answer.
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

    /// Ends somebody's wait.
    /// - Returns: why they got nothing; nil where they have been answered.
    mutating func giveUp(_ waiter: Waiter) -> PostgresFailure? {
        guard let index = waiting.firstIndex(where: { $0.waiter === waiter }) else { return nil }
        waiting.remove(at: index)
        assert(isSound)
        return failure ?? .unreachable(detail: "no database connection became free in time")
    }

    /// Takes a connection back.
    /// - Parameter connection: nil where it is of no more use.
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

    /// Gives no more connections out.
    /// - Returns: also those that were idle.
    mutating func close() -> (actions: Actions, idle: [Grant]) {
        isClosed = true
        open -= idle.count
        defer { (waiting, idle) = ([], []) }
        return (Actions(answers: answers(.table(.closed)), wakesMaker: true), idle)
    }

    /// What to do next, for the thread that makes connections.
    mutating func nextStep(at now: ContinuousClock.Instant) -> MakerStep {
        if isClosed { return .end }
        makerSleeps = !isShort
        assert(isSound)
        if makerSleeps { return .sleep }
        return nextAttempt.map { now < $0 ? .pause(until: $0) : .make } ?? .make
    }

    /// Takes a connection that was made.
    mutating func made(_ connection: Connection) -> Actions {
        failure = nil
        nextAttempt = nil
        pause = Self.shortestPause
        // It went beyond what the server gave last: more may be had.
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

    /// Takes note that none could be made.
    /// - Parameter share: of the pause before the next attempt, so that servers don't make theirs all at once.
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
            // Until one is made again, writers have to be left one of these.
            given = open
            return actions()
        }
        defer { waiting = [] }
        return Actions(answers: answers(failure))
    }

    private func answers(_ failure: PostgresFailure) -> [(waiter: Waiter, result: Result<Grant, PostgresFailure>)] {
        waiting.map { ($0.waiter, .failure(failure)) }
    }

    /// Readers leave one for the writers, and lists one more for quick reads, as far as there are any.
    private func mayHaveOne(_ use: Use) -> Bool {
        if use == .writing { return true }
        let there = min(given ?? limit, limit)
        let lists = inUse[.listing, default: 0]
        let isFree = inUse[.reading, default: 0] + lists < max(there - 1, 1)
        return isFree && (use == .reading || lists < max(there - 2, 1))
    }

    /// Whether somebody waits whom another connection would serve.
    private var isShort: Bool {
        idle.isEmpty && open < limit && waiting.contains { mayHaveOne($0.use) }
    }

    /// Hands idle connections to those that wait, in their order, and wakes the thread that makes some where it has to.
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

    /// What is true between any two calls.
    private var isSound: Bool {
        let used = inUse.values.reduce(0, +)
        let areCounted = open == idle.count + used && open <= limit && inUse.values.allSatisfy { $0 >= 0 }
        // Nobody waits beside a connection that they may have, nor for one that nobody makes.
        let isServed = idle.isEmpty || !waiting.contains { mayHaveOne($0.use) }
        return areCounted && isServed && !(makerSleeps && isShort) && !(isClosed && (!idle.isEmpty || !waiting.isEmpty))
    }
}
