import StoreMetrics
import Tables
import WorkThreads

/// The threads that read, each with a connection of its own while it does. Lists share them by who asks, and leave some
/// to reads that are quick.
final class ReadPool: Sendable {
    private let queue: FairQueue<PendingRead>
    private let threads = RunningThreads()
    private let connections: ConnectionPool
    private let closesConnections: Bool
    private let patience: Duration
    private let listLimit: Duration

    /// - Parameters:
    ///   - count: how many threads.
    ///   - patience: how long a read waits for its turn.
    ///   - limit: how long a read may take once it has its turn; nil for as long as it takes.
    ///   - listLimit: how long a list may take, its wait included.
    ///   - closesConnections: whether the connections are nobody else's.
    ///   - watch: what measures waits.
    init(
        _ connections: ConnectionPool, threads count: Int, named name: String = "zumod-read",
        for use: ConnectionPool.Use = .reading, patience: Duration, limit: Duration?, listLimit: Duration,
        closesConnections: Bool = false, watch: StoreWatch = StoreWatch()
    ) {
        self.connections = connections
        self.closesConnections = closesConnections
        self.patience = patience
        self.listLimit = listLimit
        let count = max(count, 1)
        queue = FairQueue(slots: Self.listSlots(of: count)) { read, turn, refusal in
            watch.refused(turn.asker == nil ? .reads : .lists)
            read.refuse(TableError(refusal, of: turn))
        }
        for number in 1...count {
            threads.start("\(name)-\(number)") { [queue] in
                while let (turn, read) = queue.take() {
                    watch.waited(for: turn.asker == nil ? .reads : .lists, turn.age)
                    Self.serve(read, in: turn, from: connections, for: use, patience: patience, limit: limit)
                    queue.end(turn)
                }
            }
        }
    }

    /// How much waits and runs.
    var load: QueueLoad { queue.load }

    /// How many threads lists may have at a time: a quarter is for others, one at least where there are two.
    static func listSlots(of connections: Int) -> Int {
        connections > 1 ? connections - max(connections / 4, 1) : 1
    }

    deinit {
        queue.close()
        if closesConnections { connections.close() }
    }

    /// Runs a body on one of the connections, and once more where the connection broke or what it had prepared became
    /// stale: it must do nothing that may not be done twice.
    /// - Parameter isPatient: whether it may take as long as it does: no client waits for it.
    func run<Success: Sendable>(
        isPatient: Bool = false,
        _ body: @escaping @Sendable (PostgresConnection) throws(PostgresFailure) -> Success
    ) async throws(TableError) -> Success {
        try await run(in: Turn(patience: patience), isPatient: isPatient, body)
    }

    /// Runs a body that may take long, when it is its asker's turn; else like `run`.
    /// - Parameter asker: empty for the server's own, which go on where no client waits.
    func runList<Success: Sendable>(
        by asker: String, _ body: @escaping @Sendable (PostgresConnection) throws(PostgresFailure) -> Success
    ) async throws(TableError) -> Success {
        let departure = asker.isEmpty ? nil : Departure.current
        return try await run(in: Turn(of: asker, limit: listLimit, departure: departure), isPatient: false, body)
    }

    private func run<Success: Sendable>(
        in turn: Turn, isPatient: Bool,
        _ body: @escaping @Sendable (PostgresConnection) throws(PostgresFailure) -> Success
    ) async throws(TableError) -> Success {
        let result: Result<Success, TableError> = await withCheckedContinuation { continuation in
            queue.push(PendingRead(continuation, isPatient: isPatient, body), turn)
        }
        return try result.get()
    }

    /// Takes no more reads, and returns when those that wait are done and the connections closed.
    func close() async {
        queue.close()
        await threads.ended()
        guard closesConnections else { return }
        connections.close()
        await connections.ended()
    }

    /// How much later than its limit a read may hear of its end from the server.
    static let grace = Duration.seconds(1)

    private static func serve(
        _ read: PendingRead, in turn: Turn, from connections: ConnectionPool, for use: ConnectionPool.Use,
        patience: Duration, limit: Duration?
    ) {
        let start = ContinuousClock.now
        let use = turn.asker == nil ? use : .listing
        let deadline = read.isPatient ? nil : turn.deadline.map { $0 + grace } ?? limit.map { start + $0 }
        for attempt in 1... {
            if let reason = turn.stopReason { return read.refuse(TableError(reason, of: turn)) }
            let connection: PostgresConnection
            do throws(PostgresFailure) {
                connection = try connections.take(use, until: turn.deadline ?? deadline ?? start + patience)
            } catch {
                return read.refuse(turn.deadline.map { $0 <= .now } == true ? .busy : error.tableError)
            }
            connection.deadline = deadline
            let failure = perform(read, in: turn, on: connection)
            // A connection that broke needs no word about its stop, which would cost the caller more time.
            if connection.isAlive, !connection.stop.settle(until: deadline) { connection.giveUp() }
            connections.giveBack(connection, from: use)
            guard let failure else { return }
            if case .table(.timeout) = failure {
                return read.refuse(turn.stopReason.map { TableError($0, of: turn) } ?? .timeout)
            }
            guard case .lost = failure, attempt < 3, deadline.map({ ContinuousClock.now < $0 }) ?? true else {
                return read.refuse(failure.tableError)
            }
        }
    }

    /// - Returns: why the read was not done.
    private static func perform(
        _ read: PendingRead, in turn: Turn, on connection: PostgresConnection
    ) -> PostgresFailure? {
        if turn.asker != nil { turn.whenStopped { [stop = connection.stop] in stop.ask() } }
        defer { turn.whenStopped(nil) }
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

extension TableError {
    fileprivate init(_ refusal: Refusal, of turn: Turn) {
        switch refusal {
        case .waited where turn.asker == nil:
            self = .unavailable(detail: "no database connection became free in time")
        case .full, .waited, .crowding: self = .busy
        case .late: self = .timeout
        case .departed: self = .abandoned
        case .closed: self = .closed
        }
    }
}

/// A read whose caller waits.
struct PendingRead: Sendable {
    /// Does the read and tells the caller; where it failed it tells nobody and returns why.
    let perform: @Sendable (PostgresConnection) -> PostgresFailure?
    let refuse: @Sendable (TableError) -> Void
    /// Whether it may take as long as it does.
    let isPatient: Bool

    init<Success: Sendable>(
        _ continuation: CheckedContinuation<Result<Success, TableError>, Never>, isPatient: Bool,
        _ body: @escaping @Sendable (PostgresConnection) throws(PostgresFailure) -> Success
    ) {
        self.isPatient = isPatient
        perform = { connection in
            do throws(PostgresFailure) {
                let success = try body(connection)
                continuation.resume(returning: .success(success))
                return nil
            } catch {
                return error
            }
        }
        refuse = { continuation.resume(returning: .failure($0)) }
    }
}
