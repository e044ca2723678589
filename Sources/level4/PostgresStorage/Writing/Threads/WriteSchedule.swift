import Tables

/// Decides which table's writes are done next, and which have waited too long, for a `WriteQueue` but without its
/// threads, timers and clock.
///
/// A table's writes are done by one thread at a time and in order of arrival, so that waiting ones share a transaction;
/// a table that another session has locked waits separately, and lets others run.
struct WriteSchedule<Write: Sendable, Doubt: Sendable>: Sendable {
    typealias Entry = (write: Write, deadline: ContinuousClock.Instant)

    /// Work for a thread: writes of one table, or finding out the outcome of its last ones.
    struct Work: Sendable {
        fileprivate let table: Int
        let writes: [Entry]
        let doubt: Doubt?
        let wasHeldUp: Bool
    }

    /// The rest of a table's work: the number of its writes that were not done, which are the last ones taken.
    enum Rest {
        case nothing
        /// Another session holds a lock: the writes wait for another attempt.
        case locked(Int, reason: String)
        /// The outcome of a transaction is unknown, so the table waits; these writes were not started.
        case doubt(Doubt, Int)
    }

    /// The next step of a thread that asks for work.
    enum Step: Sendable {
        case work(Work)
        /// Until it is woken.
        case wait
        /// The schedule is closed and empty: the thread wakes a number of others, and ends.
        case end(wakes: Int)
    }

    /// The actions to take after a change.
    struct Actions: Sendable {
        /// The number of waiting threads to wake.
        var wakes = 0
        /// When to call `tick`.
        var timer: ContinuousClock.Instant?
        /// The writes that won't be done, and why.
        var refused: [(write: Write, reason: TableError)] = []
    }

    private let patience: Duration
    private let threads: Int
    private let mostHeldUp: Int
    /// The tables, in order of their first writes.
    private var tables: [TableWrites] = []
    private var numbers: [Identifier: Int] = [:]
    /// The tables that have work, in the order in which they are served.
    private var offered: [Int] = []
    /// Tables whose time hasn't come, in the order of their next attempts.
    private var heldUp: [Int] = []
    private var busyHeldUp = 0
    private var idleThreads = 0
    /// The number of threads that will ask for work without being woken.
    private var comingThreads = 0
    /// When `tick` will be called.
    private var timers: [ContinuousClock.Instant] = []
    private var isClosed = false

    /// The maximum number of writes per transaction, which limits how long the first of them waits.
    static var largestBatch: Int { 256 }
    /// The pause before a locked table's next attempt.
    static var pause: Duration { .milliseconds(100) }

    /// - Parameters:
    ///   - patience: how long a write waits before it is refused.
    ///   - threads: the number of threads. At most half of them wait for locks that were found to be held.
    init(patience: Duration, threads: Int) {
        self.patience = patience
        self.threads = threads
        mostHeldUp = max(threads / 2, 1)
    }

    /// The number of waiting writes.
    var waitingCount: Int { tables.reduce(0) { $0 + $1.waiting.count } }

    /// Queues a write, or refuses it if the schedule is closed.
    mutating func add(_ write: Write, to name: Identifier, at now: ContinuousClock.Instant) -> Actions {
        guard !isClosed else { return Actions(refused: [(write, .closed)]) }
        let number = number(of: name)
        tables[number].waiting.append((write, now + patience))
        offer(number)
        return actions(timer: now + patience)
    }

    private mutating func number(of name: Identifier) -> Int {
        if let number = numbers[name] { return number }
        tables.append(TableWrites())
        numbers[name] = tables.count - 1
        return tables.count - 1
    }

    /// Counts a thread that has started, as the system may not have room for all.
    mutating func arrive() {
        comingThreads += 1
        assert(isSound)
    }

    /// Returns work for a thread that asks for it.
    mutating func next() -> Step {
        comingThreads -= 1
        defer { assert(isSound) }
        let index = offered.firstIndex { busyHeldUp < mostHeldUp || tables[$0].nextAttempt == nil }
        if let index {
            let number = offered.remove(at: index)
            let writes = tables[number].take(upTo: Self.largestBatch)
            let (doubt, wasHeldUp) = (tables[number].doubt, tables[number].nextAttempt != nil)
            assert(doubt != nil || !writes.isEmpty)
            if wasHeldUp { busyHeldUp += 1 }
            return .work(Work(table: number, writes: writes, doubt: doubt, wasHeldUp: wasHeldUp))
        }
        guard isClosed, waitingCount == 0 else {
            idleThreads += 1
            return .wait
        }
        return .end(wakes: wakeAll())
    }

    /// Takes back the rest of a table's work from the thread that did it, which asks for more at once.
    mutating func finish(_ work: Work, _ rest: Rest, at now: ContinuousClock.Instant) -> Actions {
        comingThreads += 1
        if work.wasHeldUp { busyHeldUp -= 1 }
        let late = tables[work.table].end(work.writes, rest, at: now)
        guard let nextAttempt = tables[work.table].nextAttempt else {
            offer(work.table)
            return actions()
        }
        heldUp.append(work.table)
        return actions(timer: min(nextAttempt, tables[work.table].firstDeadline ?? nextAttempt), refused: late)
    }

    /// Refuses writes that have waited too long, and offers the tables whose time has come.
    /// - Parameter timer: when this was due.
    mutating func tick(_ timer: ContinuousClock.Instant, at now: ContinuousClock.Instant) -> Actions {
        assert(timers.contains(timer))
        timers.removeAll { $0 == timer }
        let late = tables.indices.flatMap { tables[$0].removeLate(at: now) }
        offered.removeAll { tables[$0].place == .resting }
        while let number = heldUp.first, tables[number].nextAttempt.map({ $0 <= now }) ?? true {
            heldUp.removeFirst()
            tables[number].place = .resting
            offer(number)
        }
        let next = heldUp.compactMap { tables[$0].nextAttempt } + tables.compactMap(\.firstDeadline)
        var actions = actions(timer: next.min(), refused: late)
        // Threads may be waiting for the last writes of a closed schedule.
        if isClosed, waitingCount == 0 { actions.wakes += wakeAll() }
        return actions
    }

    /// Accepts no more writes; the waiting ones are still handed out.
    mutating func close() -> Actions {
        isClosed = true
        return Actions(wakes: wakeAll())
    }

    /// Queues a table for a thread, if it has work and nothing holds it up.
    private mutating func offer(_ number: Int) {
        guard tables[number].place == .resting, tables[number].hasWork else { return }
        tables[number].place = .offered
        offered.append(number)
    }

    private mutating func wakeAll() -> Int {
        comingThreads += idleThreads
        defer { idleThreads = 0 }
        return idleThreads
    }

    /// Returns the actions that follow from the current state.
    private mutating func actions(
        timer: ContinuousClock.Instant? = nil, refused: [(write: Write, reason: TableError)] = []
    ) -> Actions {
        var actions = Actions(refused: refused)
        while idleThreads > 0, comingThreads < offered.count {
            idleThreads -= 1
            comingThreads += 1
            actions.wakes += 1
        }
        if let timer, !timers.contains(where: { $0 <= timer }) {
            timers.append(timer)
            actions.timer = timer
        }
        assert(isSound)
        return actions
    }

    /// The invariants between any two calls.
    private var isSound: Bool {
        let places = tables.map(\.place)
        func all(_ line: [Int], are place: Place) -> Bool {
            Set(line).count == line.count && line.allSatisfy { places[$0] == place }
                && line.count == places.count { $0 == place }
        }
        let busy = places.count { $0 == .busy }
        let areCounted = idleThreads >= 0 && comingThreads >= 0 && idleThreads + comingThreads + busy <= threads
        let held = tables.count { $0.place == .busy && $0.nextAttempt != nil }
        // No thread is idle while work may start, and nothing waits forever.
        let mayBegin = offered.contains { held < mostHeldUp || tables[$0].nextAttempt == nil }
        let isServed = !mayBegin || idleThreads == 0 || comingThreads > 0
        let ends = heldUp.compactMap { tables[$0].nextAttempt } + tables.compactMap(\.firstDeadline)
        let isTimed = ends.allSatisfy { end in timers.contains { $0 <= end } }
        return all(offered, are: .offered) && all(heldUp, are: .heldUp) && tables.allSatisfy(\.isSound)
            && held == busyHeldUp && held <= mostHeldUp && areCounted && isServed && isTimed
    }
}

extension WriteSchedule {
    /// The state of a table.
    private enum Place {
        /// It has no work.
        case resting
        /// It waits for a thread.
        case offered
        /// A thread is doing its work.
        case busy
        /// It waits for its next attempt.
        case heldUp
    }

    private struct TableWrites {
        var waiting: [Entry] = []
        var doubt: Doubt?
        var place = Place.resting
        /// When it is or was tried again after an attempt that could not proceed; nil if it could.
        var nextAttempt: ContinuousClock.Instant?
        /// The reason for refusing writes that waited too long.
        var reason = "no database connection became free in time"

        var hasWork: Bool { !waiting.isEmpty || doubt != nil }
        var firstDeadline: ContinuousClock.Instant? { waiting.first?.deadline }

        var isSound: Bool {
            // Later writes never have earlier deadlines.
            if let first = waiting.first, let last = waiting.last, last.deadline < first.deadline { return false }
            return switch place {
            case .resting: !hasWork
            case .offered: hasWork
            case .heldUp: nextAttempt != nil
            case .busy: true
            }
        }

        mutating func take(upTo limit: Int) -> [Entry] {
            precondition(place == .offered, "a table's writes are done by one thread at a time")
            place = .busy
            guard doubt == nil else { return [] }
            let taken = Array(waiting.prefix(limit))
            waiting.removeFirst(taken.count)
            return taken
        }

        /// - Returns: the writes that waited too long.
        mutating func end(
            _ taken: [Entry], _ rest: Rest, at now: ContinuousClock.Instant
        ) -> [(write: Write, reason: TableError)] {
            precondition(place == .busy, "a table's work ends once")
            let left: Int
            switch rest {
            case .nothing:
                self = TableWrites(waiting: waiting)
                return []
            case .locked(let count, let why):
                (left, doubt, reason) = (count, nil, why)
            case .doubt(let transaction, let count):
                (left, doubt) = (count, transaction)
                reason = "the database has not told yet what became of the table's last writes"
            }
            assert(left <= taken.count)
            place = .heldUp
            nextAttempt = now + WriteSchedule.pause
            waiting.insert(contentsOf: taken.suffix(left), at: 0)
            return removeLate(at: now)
        }

        /// - Returns: the writes that waited too long.
        mutating func removeLate(at now: ContinuousClock.Instant) -> [(write: Write, reason: TableError)] {
            let count = waiting.prefix { $0.deadline <= now }.count
            guard count > 0 else { return [] }
            defer {
                waiting.removeFirst(count)
                if place == .offered, !hasWork { place = .resting }
            }
            return waiting.prefix(count).map { ($0.write, .unavailable(detail: reason)) }
        }
    }
}
