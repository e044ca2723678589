import Dispatch
import StoreMetrics
import Synchronization
import Tables
import WorkThreads

/// The only thread that writes. It commits all waiting writes together, since the sync is what costs most.
final class SQLiteWriter: Sendable {
    private let queue = BlockingQueue<WriterJob>()
    private let threads = RunningThreads()
    private let watch: StoreInstrumentation
    private let waiting = Atomic(0)

    /// Whether writes are waiting, apart from those that need a commit of their own.
    var isAwaited: Bool { waiting.load(ordering: .relaxed) > 0 }

    /// The maximum number of writes per commit, which limits how long the first of them waits.
    static let largestBatch = 256

    init(_ watch: StoreInstrumentation) {
        self.watch = watch
    }

    /// The number of waiting jobs.
    var count: Int { queue.count }

    /// Starts the thread, which owns the connection from then on and closes it at the end.
    func start(_ connection: SQLiteConnection, catalog: SQLiteTableCatalog, clock: @escaping Clock) {
        threads.start("zumod-write") { [queue, watch] in
            let session = WriteSession(connection, catalog: catalog, clock: clock)
            while let jobs = queue.take(upTo: Self.largestBatch) {
                WriteBatch(session, watch).run(jobs)
            }
            connection.close()
        }
    }

    deinit {
        queue.close()
    }

    /// Performs a write and returns when it is durable.
    /// - Parameter scope: what it may change, and so how it is undone if it fails.
    func write<Success: Sendable>(
        _ scope: SQLitePendingWrite.Scope = .whatever,
        _ body: @escaping @Sendable (WriteSession) throws(TableError) -> Success
    ) async throws(TableError) -> Success {
        let isCounted = scope != .alone
        if isCounted { waiting.add(1, ordering: .relaxed) }
        defer { if isCounted { waiting.subtract(1, ordering: .relaxed) } }
        return try await submit { continuation in
            .write(SQLitePendingWrite(scope, body) { continuation.resume(returning: $0) })
        }
    }

    /// Reads on the writer's connection, between two batches.
    func read<Success: Sendable>(
        _ body: @escaping @Sendable (SQLiteConnection) throws(TableError) -> Success
    ) async throws(TableError) -> Success {
        try await between { session throws(TableError) in try body(session.connection) }
    }

    /// Takes over other programs' changes to the tables, between two batches.
    func look() async throws(TableError) {
        try await between { session throws(TableError) in try session.look() }
    }

    private func between<Success: Sendable>(
        _ body: @escaping @Sendable (WriteSession) throws(TableError) -> Success
    ) async throws(TableError) -> Success {
        try await submit { continuation in
            .read { session in
                continuation.resume(returning: Result { () throws(TableError) in try body(session) })
            }
        }
    }

    /// Reads on the writer's connection, between two batches, while the caller's thread waits.
    func wait<Success: Sendable>(
        for body: @escaping @Sendable (SQLiteConnection) throws(TableError) -> Success
    ) throws(TableError) -> Success {
        let outcome = Outcome<Success>()
        let isDone = DispatchSemaphore(value: 0)
        let isQueued = queue.push(
            .read { session in
                outcome.result.withLock { $0 = Result { () throws(TableError) in try body(session.connection) } }
                isDone.signal()
            })
        guard isQueued else { throw .closed }
        isDone.wait()
        guard let result = outcome.result.withLock({ $0 }) else { throw .closed }
        return try result.get()
    }

    /// The result of a read, for the thread that waits for it.
    private final class Outcome<Success: Sendable>: Sendable {
        let result = Mutex<Result<Success, TableError>?>(nil)
    }

    /// Accepts no more jobs, and returns when the waiting ones are done and the connection is closed.
    func close() async {
        queue.close()
        await threads.ended()
    }

    private func submit<Success: Sendable>(
        _ job: (CheckedContinuation<Result<Success, TableError>, Never>) -> WriterJob
    ) async throws(TableError) -> Success {
        let result: Result<Success, TableError> = await withCheckedContinuation { continuation in
            if !queue.push(job(continuation)) { continuation.resume(returning: .failure(.closed)) }
        }
        return try result.get()
    }
}

/// A job for the writer's thread.
enum WriterJob: Sendable {
    case write(SQLitePendingWrite)
    case read(@Sendable (WriteSession) -> Void)
}
