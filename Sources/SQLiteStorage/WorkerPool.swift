import Foundation
import Tables

/// A few threads for reads that take a while, so that they never hold up an event loop.
final class WorkerPool: Sendable {
    private let queue = BlockingQueue<@Sendable () -> Void>()

    init(threads: Int) {
        for number in 1...threads {
            let thread = Thread { [queue] in
                while let work = queue.take(upTo: 1) {
                    for job in work { job() }
                }
            }
            thread.name = "zumod-read-\(number)"
            thread.start()
        }
    }

    deinit {
        queue.close()
    }

    /// Runs a job on one of the threads.
    func run<Success: Sendable>(
        _ body: @escaping @Sendable () throws(TableError) -> Success
    ) async throws(TableError) -> Success {
        let result: Result<Success, TableError> = await withCheckedContinuation { continuation in
            let accepted = queue.push {
                continuation.resume(returning: Result { () throws(TableError) in try body() })
            }
            if !accepted { continuation.resume(returning: .failure(.closed)) }
        }
        return try result.get()
    }

    /// Ends the threads after what is queued.
    func close() {
        queue.close()
    }
}

extension TableError {
    /// What every call answers after the store was closed.
    static let closed = TableError.unavailable(detail: "the store is closed")
}
