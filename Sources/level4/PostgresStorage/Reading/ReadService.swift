import Tables
import WorkThreads

/// What a reading thread does with work from the queue.
struct ReadService {
    let connections: ConnectionPool
    let use: ConnectionPool.Use
    /// How long a read without a time limit waits for a connection.
    let patience: Duration
    /// How long a read may take once it has its turn; nil for no limit.
    let limit: Duration?

    /// Runs reads together, and then individually those that failed together.
    /// - Returns: lists that failed, to be run individually when it is their turn: none waits for another.
    func serve(_ work: [(ticket: QueueTicket, read: PendingRead)]) -> [(ticket: QueueTicket, read: PendingRead)] {
        let start = ContinuousClock.now
        var rest = work.filter { ticket, read in
            guard let reason = ticket.stopReason else { return true }
            read.refuse(TableError(reason, of: ticket))
            return false
        }
        guard !rest.isEmpty else { return [] }
        let areLists = work[0].ticket.asker != nil
        if rest.count > 1 || areLists { rest = together(rest, areLists: areLists, since: start) }
        if areLists, work.count > 1 { return rest }
        for (ticket, read) in rest {
            // The first of them may have used up everyone's time.
            if work.count > 1, let limit, ContinuousClock.now >= start + limit {
                read.refuse(.unavailable(detail: "the database did not answer in time"))
            } else {
                serve(read, in: ticket, since: start)
            }
        }
        return []
    }

    /// Runs reads in one round trip.
    /// - Returns: those that have to be repeated individually.
    private func together(
        _ work: [(ticket: QueueTicket, read: PendingRead)], areLists: Bool, since start: ContinuousClock.Instant
    ) -> [(ticket: QueueTicket, read: PendingRead)] {
        let begun = work.compactMap { $0.read.begin?() }
        guard begun.count == work.count else { return work }
        let use = areLists ? .listing : use
        let deadline = work.compactMap(\.ticket.deadline).min().map { $0 + ReadPool.grace } ?? limit.map { start + $0 }
        var isDone = Array(repeating: false, count: work.count)
        var count = 0
        do throws(PostgresFailure) {
            let connection = try connections.take(use, until: deadline ?? start + patience)
            defer { connections.giveBack(connection, from: use) }
            connection.deadline = deadline
            if areLists { connection.bound = SmallReadLimit(statements: work.count, from: .now) }
            defer {
                connection.bound = nil
                // A broken connection needs no answer to its cancellation.
                if connection.isAlive, !connection.stop.settle(until: deadline) { connection.giveUp() }
            }
            try connection.readApart(begun.map(\.statement)) { number, result, time in
                isDone[number] = begun[number].answer(result, time)
                count = number + 1
            }
        } catch {
            if error.isOfStatement, count < begun.count { begun[count].fail() }
            if !areLists, case .refused(let state, _) = error, state.isStopped {
                // They read one table, which another session has locked.
                for (isDone, (_, read)) in zip(isDone, work) where !isDone { read.refuse(.timeout) }
                return []
            }
        }
        return zip(work, isDone).filter { !$1 }.map(\.0)
    }

    /// - Parameter start: when the work started that the read belongs to.
    private func serve(_ read: PendingRead, in ticket: QueueTicket, since start: ContinuousClock.Instant) {
        let use = ticket.asker == nil ? use : .listing
        let deadline = read.isPatient ? nil : ticket.deadline.map { $0 + ReadPool.grace } ?? limit.map { start + $0 }
        for attempt in 1... {
            if let reason = ticket.stopReason { return read.refuse(TableError(reason, of: ticket)) }
            let connection: PostgresConnection
            do throws(PostgresFailure) {
                connection = try connections.take(use, until: ticket.deadline ?? deadline ?? start + patience)
            } catch {
                return read.refuse(ticket.deadline.map { $0 <= .now } == true ? .busy : error.tableError)
            }
            connection.deadline = deadline
            let failure = perform(read, in: ticket, on: connection)
            // A broken connection needs no answer to its cancellation, which would cost the caller more time.
            if connection.isAlive, !connection.stop.settle(until: deadline) { connection.giveUp() }
            connections.giveBack(connection, from: use)
            guard let failure else { return }
            if case .table(.timeout) = failure {
                return read.refuse(ticket.stopReason.map { TableError($0, of: ticket) } ?? .timeout)
            }
            guard case .lost = failure, attempt < 3, deadline.map({ ContinuousClock.now < $0 }) ?? true else {
                return read.refuse(failure.tableError)
            }
        }
    }

    /// - Returns: why the read wasn't done.
    private func perform(
        _ read: PendingRead, in ticket: QueueTicket, on connection: PostgresConnection
    ) -> PostgresFailure? {
        if ticket.asker != nil { ticket.whenStopped { [stop = connection.stop] in stop.ask() } }
        defer { ticket.whenStopped(nil) }
        for attempt in 1... {
            guard let failure = read.perform(connection) else { return nil }
            guard case .refused(let state, _) = failure, attempt < 3 else { return failure }
            switch state.meaning {
            case .stalePlan: connection.forgetStatements()
            case .collision: break
            case .staleCatalog, .lost, .locked, .unavailable, .full, .failed: return failure
            }
        }
        return nil
    }
}

extension PostgresFailure {
    /// Whether it may be due to a statement, and not to the lack of a connection.
    fileprivate var isOfStatement: Bool {
        switch self {
        case .refused, .lost: true
        case .table, .unreachable: false
        }
    }
}

extension TableError {
    /// Creates the error of the storage contract for a refused turn.
    init(_ refusal: QueueRefusal, of ticket: QueueTicket) {
        switch refusal {
        case .waited where ticket.asker == nil:
            self = .unavailable(detail: "no database connection became free in time")
        case .full, .waited, .crowding: self = .crowded(seconds: ticket.retrySeconds)
        case .late: self = .timeout
        case .disconnected: self = .abandoned
        case .closed: self = .closed
        }
    }
}
