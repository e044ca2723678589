import StoreMetrics
import Tables
import WorkThreads

/// A few threads for slow reads, which must not block an event loop. Callers share them fairly.
final class WorkerPool: Sendable {
    private let queue: FairQueue<PooledRead>

    init(threads: Int, _ watch: StoreInstrumentation = StoreInstrumentation()) {
        queue = FairQueue(slots: threads) { read, _, refusal in
            watch.refused(.lists)
            read.refuse(refusal)
        }
        for number in 1...threads {
            NamedThread.start("zumod-read-\(number)") { [queue] in
                while let (ticket, read) = queue.take() {
                    watch.waited(for: .lists, ticket.age)
                    read.perform(ticket)
                }
            }
        }
    }

    deinit {
        queue.close()
    }

    /// Runs a job on one of the threads, when it is its caller's turn.
    /// - Parameters:
    ///   - asker: empty for the server's own jobs, which run when no client is waiting.
    ///   - limit: the total time for waiting and running.
    ///   - body: has to stop with `timeout` if its ticket says so.
    func run<Success: Sendable>(
        by asker: String, limit: Duration, _ body: @escaping @Sendable (QueueTicket) throws(TableError) -> Success
    ) async throws(TableError) -> Success {
        let ticket = QueueTicket(of: asker, limit: limit, disconnect: asker.isEmpty ? nil : ClientDisconnect.current)
        let result: Result<Success, TableError> = await withCheckedContinuation { continuation in
            let read = PooledRead { [queue] ticket in
                let result = Result { () throws(TableError) in try body(ticket) }
                // Before the caller is told, which may send another at once.
                queue.end(ticket)
                continuation.resume(returning: result.mapError { $0.told(why: ticket.stopReason, ticket) })
            } refuse: { refusal in
                continuation.resume(returning: .failure(TableError(refusal, of: ticket)))
            }
            queue.push(read, ticket)
        }
        return try result.get()
    }

    /// The numbers of waiting and running reads.
    var load: QueueLoad { queue.load }

    /// Ends the threads once all queued reads are done.
    func close() {
        queue.close()
    }
}

/// A read whose caller is waiting.
private struct PooledRead: Sendable {
    /// Performs the read, ends its turn and resumes the caller.
    let perform: @Sendable (QueueTicket) -> Void
    /// Tells the caller that the read was not started.
    let refuse: @Sendable (QueueRefusal) -> Void
}

extension TableError {
    fileprivate init(_ refusal: QueueRefusal, of ticket: QueueTicket) {
        switch refusal {
        case .full, .waited, .crowding: self = .crowded(seconds: ticket.retrySeconds)
        case .late: self = .timeout
        case .disconnected: self = .abandoned
        case .closed: self = .closed
        }
    }

    /// Returns the error of a stopped read.
    fileprivate func told(why reason: QueueRefusal?, _ ticket: QueueTicket) -> TableError {
        if self == .timeout, let reason { TableError(reason, of: ticket) } else { self }
    }
}
