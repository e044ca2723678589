import Dispatch
import Synchronization
import Tables

/// The writes that wait, by table. A table's writes are done by one thread at a time and in the order of their arrival,
/// so that those that wait share a transaction; a table that somebody else has locked waits apart, and lets others run.
final class WriteSchedule: Sendable {
    private let patience: Duration
    private let mostHeldUp: Int
    private let state = Mutex(State())
    private let wake = DispatchSemaphore(value: 0)

    /// The most writes of one transaction: what bounds the time that the first of them waits.
    private static let largestBatch = 256
    /// How long a locked table waits for its next attempt.
    private static let pause = Duration.milliseconds(100)

    /// - Parameters:
    ///   - patience: how long a write waits before it is refused.
    ///   - threads: how many take work. Half of them at most wait for locks that were found held.
    init(patience: Duration, threads: Int) {
        self.patience = patience
        mostHeldUp = max(threads / 2, 1)
    }

    /// Queues a write, or refuses it where the schedule is closed.
    func push(_ write: PendingWrite) {
        let deadline = ContinuousClock.now + patience
        let (isAccepted, wakes, watches) = state.withLock { state in
            guard !state.isClosed else { return (false, false, false) }
            state.tables[write.write.table, default: TableWrites()].waiting.append((write, deadline))
            state.offer(write.write.table)
            defer { state.isWatched = true }
            return (true, state.wakesOne(), !state.isWatched)
        }
        if wakes { wake.signal() }
        if watches { watch(until: deadline) }
        if !isAccepted { write.refuse(.closed) }
    }

    /// Waits for work.
    /// - Returns: nil where the schedule is closed and nothing waits.
    func take() -> TableWork? {
        while true {
            let (work, isOver, pause) = state.withLock { state -> (TableWork?, Bool, Duration?) in
                let now = ContinuousClock.now
                state.offerAgain(at: now)
                if let work = state.take(upTo: Self.largestBatch, mostHeldUp) { return (work, false, nil) }
                if state.isClosed, !state.hasWrites { return (nil, true, nil) }
                state.idleThreads += 1
                return (nil, false, state.nextOffer.map { $0 - now })
            }
            if let work { return work }
            if isOver {
                // The next of those that wait for the end.
                if state.withLock({ $0.wakesAny() }) { wake.signal() }
                return nil
            }
            let limit = pause.map { (ContinuousClock.now + $0).dispatchTime } ?? .distantFuture
            guard wake.wait(timeout: limit) == .timedOut else { continue }
            let isCounted = state.withLock { state in
                defer { state.idleThreads = max(state.idleThreads - 1, 0) }
                return state.idleThreads > 0
            }
            // Somebody has just counted it as woken.
            if !isCounted { wake.wait() }
        }
    }

    /// Takes back what is left of a table's work.
    func finish(_ work: TableWork, _ rest: RemainingTableWork) {
        let (wakes, late) = state.withLock { state -> (Bool, [PendingWrite]) in
            let late = state.finish(work, rest, now: ContinuousClock.now, pause: Self.pause)
            return (state.wakesOne(), late)
        }
        if wakes { wake.signal() }
        for write in late { write.refuse(.unavailable(detail: rest.reason)) }
    }

    /// How many writes wait.
    var waitingCount: Int { state.withLock { $0.tables.values.reduce(0) { $0 + $1.waiting.count } } }

    /// Takes no more writes; those that wait are still handed out.
    func close() {
        let idle = state.withLock { state in
            state.isClosed = true
            defer { state.idleThreads = 0 }
            return state.idleThreads
        }
        for _ in 0..<idle { wake.signal() }
    }

    /// Refuses what waits for too long. There is one timer at most, set for the first.
    private func watch(until deadline: ContinuousClock.Instant) {
        DispatchQueue.global().asyncAfter(deadline: deadline.dispatchTime) { [weak self] in self?.sweep() }
    }

    private func sweep() {
        let now = ContinuousClock.now
        let (late, next, idle) = state.withLock { state in
            let late = state.removeLate(at: now)
            let next = state.tables.values.compactMap { $0.waiting.first?.deadline }.min()
            state.isWatched = next != nil
            // Whoever waits for the end of the last writes of a closed schedule.
            let idle = state.isClosed && next == nil ? state.idleThreads : 0
            state.idleThreads -= idle
            return (late, next, idle)
        }
        if let next { watch(until: next) }
        for _ in 0..<idle { wake.signal() }
        for (write, reason) in late { write.refuse(.unavailable(detail: reason)) }
    }
}

/// What a thread does next: writes of one table, or finding out what became of its last ones.
struct TableWork: Sendable {
    let table: Identifier
    let writes: [(write: PendingWrite, deadline: ContinuousClock.Instant)]
    let doubt: WriteTransaction?
    let marks: TransactionMarks
    let wasHeldUp: Bool
}

/// What is left of a table's work.
enum RemainingTableWork {
    case nothing
    /// Somebody else holds a lock: the writes wait for another attempt.
    case locked([PendingWrite], reason: String)
    /// What became of a transaction is not known, so the table waits; these writes were not begun.
    case doubt(WriteTransaction, [PendingWrite])

    /// Why writes that waited too long were not done.
    fileprivate var reason: String {
        switch self {
        case .nothing: "no database connection became free in time"
        case .locked(_, let reason): reason
        case .doubt: "the database has not told yet what became of the table's last writes"
        }
    }
}

extension WriteSchedule {
    private struct TableWrites {
        var waiting: [(write: PendingWrite, deadline: ContinuousClock.Instant)] = []
        /// By which the server is asked what became of the table's last transaction.
        let marks = TransactionMarks()
        var doubt: WriteTransaction?
        var isBusy = false
        /// Whether it is among the tables that wait for a thread.
        var isOffered = false
        /// When a table that could not go on is tried again; nil where it could.
        var nextAttempt: ContinuousClock.Instant?
        var reason = RemainingTableWork.nothing.reason
    }

    private struct State {
        var tables: [Identifier: TableWrites] = [:]
        /// The tables that have work, in the order in which they are served.
        var offered: [Identifier] = []
        /// Those whose time has not come.
        var heldUp: Set<Identifier> = []
        var busyHeldUp = 0
        var idleThreads = 0
        var isWatched = false
        var isClosed = false

        var hasWrites: Bool { tables.values.contains { !$0.waiting.isEmpty } }
        var nextOffer: ContinuousClock.Instant? { heldUp.compactMap { tables[$0]?.nextAttempt }.min() }

        /// Whether a thread has to be woken.
        mutating func wakesOne() -> Bool {
            !offered.isEmpty || !heldUp.isEmpty ? wakesAny() : false
        }

        mutating func wakesAny() -> Bool {
            guard idleThreads > 0 else { return false }
            idleThreads -= 1
            return true
        }

        /// Puts a table in the line for a thread, where it has work and nothing keeps it.
        mutating func offer(_ name: Identifier) {
            guard let table = tables[name], !table.isBusy, !table.isOffered, !heldUp.contains(name),
                !table.waiting.isEmpty || table.doubt != nil
            else { return }
            tables[name]?.isOffered = true
            offered.append(name)
        }

        mutating func offerAgain(at now: ContinuousClock.Instant) {
            for name in heldUp where tables[name]?.nextAttempt ?? now <= now {
                heldUp.remove(name)
                offer(name)
            }
        }

        mutating func take(upTo limit: Int, _ mostHeldUp: Int) -> TableWork? {
            // What waited in vain is gone by now.
            let empty = offered.filter { (tables[$0]?.waiting.isEmpty ?? true) && tables[$0]?.doubt == nil }
            for name in empty { tables[name]?.isOffered = false }
            if !empty.isEmpty { offered.removeAll(where: empty.contains) }
            let index = offered.firstIndex { busyHeldUp < mostHeldUp || tables[$0]?.nextAttempt == nil }
            guard let index else { return nil }
            let name = offered.remove(at: index)
            guard var table = tables[name] else { return nil }
            let wasHeldUp = table.nextAttempt != nil
            if wasHeldUp { busyHeldUp += 1 }
            let taken = table.doubt == nil ? Array(table.waiting.prefix(limit)) : []
            table.waiting.removeFirst(taken.count)
            table.isBusy = true
            table.isOffered = false
            defer { tables[name] = table }
            return TableWork(
                table: name, writes: taken, doubt: table.doubt, marks: table.marks, wasHeldUp: wasHeldUp)
        }

        /// - Returns: the writes that waited too long.
        mutating func finish(
            _ work: TableWork, _ rest: RemainingTableWork, now: ContinuousClock.Instant, pause: Duration
        ) -> [PendingWrite] {
            if work.wasHeldUp { busyHeldUp -= 1 }
            guard var table = tables[work.table] else { return [] }
            table.isBusy = false
            table.doubt = nil
            table.nextAttempt = nil
            table.reason = rest.reason
            var back: [PendingWrite] = []
            switch rest {
            case .nothing: break
            case .locked(let writes, _):
                back = writes
                table.nextAttempt = now + pause
            case .doubt(let transaction, let writes):
                back = writes
                table.doubt = transaction
                table.nextAttempt = now + pause
            }
            // They are the last of those that were taken.
            let returned = work.writes.suffix(back.count)
            table.waiting.insert(contentsOf: returned.filter { $0.deadline > now }, at: 0)
            tables[work.table] = table
            if table.nextAttempt != nil { heldUp.insert(work.table) } else { offer(work.table) }
            return returned.filter { $0.deadline <= now }.map(\.write)
        }

        mutating func removeLate(at now: ContinuousClock.Instant) -> [(PendingWrite, String)] {
            var late: [(PendingWrite, String)] = []
            for (name, table) in tables where table.waiting.first.map({ $0.deadline <= now }) ?? false {
                let count = table.waiting.prefix { $0.deadline <= now }.count
                late += table.waiting.prefix(count).map { ($0.write, table.reason) }
                tables[name]?.waiting.removeFirst(count)
            }
            return late
        }
    }
}
