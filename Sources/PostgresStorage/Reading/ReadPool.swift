import Tables

/// The threads that read, each with a connection of its own.
final class ReadPool: Sendable {
    private let queue: RequestQueue<PendingRead>
    private let threads = RunningThreads()

    init(_ address: PostgresAddress, _ settings: PostgresSettings) {
        queue = RequestQueue(patience: settings.patience)
        for number in 1...max(settings.readingConnections, 1) {
            threads.start("zumod-read-\(number)") { [queue] in
                let holder = ConnectionHolder(address, settings)
                while let reads = queue.take(upTo: 1) {
                    for read in reads { Self.serve(read, with: holder) }
                }
            }
        }
    }

    deinit {
        queue.close()
    }

    /// Runs a body on one of the connections, and once more where the connection broke or what it had prepared became
    /// stale: it must do nothing that may not be done twice.
    func run<Success: Sendable>(
        _ body: @escaping @Sendable (PostgresConnection) throws(PostgresFailure) -> Success
    ) async throws(TableError) -> Success {
        let result: Result<Success, TableError> = await withCheckedContinuation { continuation in
            queue.push(PendingRead(continuation, body))
        }
        return try result.get()
    }

    /// Takes no more reads, and returns when those that wait are done and the connections closed.
    func close() async {
        queue.close()
        await threads.ended()
    }

    private static func serve(_ read: PendingRead, with holder: ConnectionHolder) {
        for attempt in 1... {
            let connection: PostgresConnection
            do throws(PostgresFailure) {
                connection = try holder.get()
            } catch {
                return read.refuse(error.tableError)
            }
            guard let failure = read.perform(connection) else { return }
            let mayRepeat = attempt < 3
            switch failure {
            case .lost:
                holder.drop()
                if !mayRepeat { return read.refuse(failure.tableError) }
            case .refused(let state, _) where mayRepeat:
                switch state.meaning {
                case .stalePlan: connection.forgetStatements()
                case .collision: break
                case .staleCatalog, .lost, .unavailable, .full, .failed: return read.refuse(failure.tableError)
                }
            case .refused, .unreachable, .table:
                return read.refuse(failure.tableError)
            }
        }
    }
}

/// A read whose caller waits.
struct PendingRead: Refusable {
    /// Does the read and tells the caller; where it failed it tells nobody and returns why.
    let perform: @Sendable (PostgresConnection) -> PostgresFailure?
    let refuse: @Sendable (TableError) -> Void

    init<Success: Sendable>(
        _ continuation: CheckedContinuation<Result<Success, TableError>, Never>,
        _ body: @escaping @Sendable (PostgresConnection) throws(PostgresFailure) -> Success
    ) {
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
