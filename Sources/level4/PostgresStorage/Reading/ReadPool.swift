import StoreMetrics
import Tables
import WorkThreads

/// The threads that read, each with its own connection while it does. Lists take turns by caller, and leave some
/// threads to quick reads.
final class ReadPool: Sendable {
    private let queue: FairQueue<PendingRead>
    private let threads = RunningThreads()
    private let connections: ConnectionPool
    private let closesConnections: Bool
    private let patience: Duration
    let listLimit: Duration

    /// - Parameters:
    ///   - count: the number of threads.
    ///   - patience: how long a read waits for its turn.
    ///   - limit: how long a read may take once it has its turn; nil for no limit.
    ///   - listLimit: how long a list may take, including its wait.
    ///   - closesConnections: whether the connections are used by this pool alone.
    ///   - watch: measures waits.
    init(
        _ connections: ConnectionPool, threads count: Int, named name: String = "zumod-read",
        for use: ConnectionPool.Use = .reading, patience: Duration, limit: Duration?, listLimit: Duration,
        closesConnections: Bool = false, watch: StoreInstrumentation = StoreInstrumentation()
    ) {
        self.connections = connections
        self.closesConnections = closesConnections
        self.patience = patience
        self.listLimit = listLimit
        let count = max(count, 1)
        queue = FairQueue(slots: Self.listSlots(of: count)) { read, ticket, refusal in
            watch.refused(ticket.asker == nil ? .reads : .lists)
            read.refuse(TableError(refusal, of: ticket))
        }
        for number in 1...count {
            threads.start("\(name)-\(number)") { [queue] in
                let service = ReadService(connections: connections, use: use, patience: patience, limit: limit)
                while let work = queue.take(upTo: Self.mostTogether, PendingRead.mayGoTogether) {
                    for (ticket, _) in work { watch.waited(for: ticket.asker == nil ? .reads : .lists, ticket.age) }
                    let again = service.serve(work.map { (ticket: $0.ticket, read: $0.element) })
                    // All at once: each call takes a lock shared by all callers and threads.
                    queue.end(work.map(\.ticket))
                    for (ticket, read) in again { queue.push(read.alone, ticket) }
                }
            }
        }
    }

    /// The maximum number of reads that share a round trip, which limits how long the first waits for the last.
    static let mostTogether = 16

    /// The numbers of waiting and running reads.
    var load: QueueLoad { queue.load }

    /// The maximum number of threads for lists: a quarter is left to others, at least one if there are two.
    static func listSlots(of connections: Int) -> Int {
        connections > 1 ? connections - max(connections / 4, 1) : 1
    }

    deinit {
        queue.close()
        if closesConnections { connections.close() }
    }

    /// Runs a body on one of the connections, and again if the connection broke or a prepared statement became stale.
    /// The body must be safe to run twice.
    /// - Parameters:
    ///   - isPatient: whether it has no time limit, since no client waits for it.
    ///   - shared: the same read as a single statement, which can share a round trip with others.
    func run<Success: Sendable>(
        isPatient: Bool = false, as shared: SharedRead<Success>? = nil,
        _ body: @escaping @Sendable (PostgresConnection) throws(PostgresFailure) -> Success
    ) async throws(TableError) -> Success {
        try await run(in: QueueTicket(patience: patience), isPatient: isPatient, as: shared, body)
    }

    /// Runs a body that may take long, when it is its caller's turn; otherwise like `run`.
    /// - Parameters:
    ///   - asker: empty for the server's own reads, which run when no client is waiting.
    ///   - shared: the same read as a single brief statement, which can share a round trip with others like it.
    func runList<Success: Sendable>(
        by asker: String, as shared: SharedRead<Success>? = nil,
        _ body: @escaping @Sendable (PostgresConnection) throws(PostgresFailure) -> Success
    ) async throws(TableError) -> Success {
        let disconnect = asker.isEmpty ? nil : ClientDisconnect.current
        return try await run(
            in: QueueTicket(of: asker, limit: listLimit, disconnect: disconnect), isPatient: false, as: shared, body)
    }

    private func run<Success: Sendable>(
        in ticket: QueueTicket, isPatient: Bool, as shared: SharedRead<Success>?,
        _ body: @escaping @Sendable (PostgresConnection) throws(PostgresFailure) -> Success
    ) async throws(TableError) -> Success {
        let result: Result<Success, TableError> = await withCheckedContinuation { continuation in
            queue.push(
                PendingRead(continuation, isPatient: isPatient, as: shared, body), ticket, isBrief: shared != nil)
        }
        return try result.get()
    }

    /// Accepts no more reads, and returns when the waiting ones are done and the connections are closed.
    func close() async {
        queue.close()
        await threads.ended()
        guard closesConnections else { return }
        connections.close()
        await connections.ended()
    }

    /// How long after its limit a read may still get the server's answer to its cancellation.
    static let grace = Duration.seconds(1)
}
