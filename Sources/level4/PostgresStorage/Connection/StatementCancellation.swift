import CPostgres
import Dispatch
import Synchronization

/// Asks the server, from any thread, to stop what it is doing for one connection.
// Sendable because the handle is a copy of what the connection knows of its server, which libpq lets any thread use.
@safe final class StatementCancellation: @unchecked Sendable {
    private let handle: OpaquePointer?
    private let asking = Mutex(0)
    private let answered = DispatchSemaphore(value: 0)

    /// The maximum wait for the answer to the last request.
    private static let patience = DispatchTimeInterval.seconds(1)

    init(of connection: OpaquePointer) {
        unsafe handle = unsafe PQgetCancel(connection)
    }

    deinit {
        unsafe PQfreeCancel(handle)
    }

    /// Asks on another thread, since that takes another connection to the server. Call it again while the statement
    /// runs: the first request may have arrived before it started.
    func ask() {
        let isFirst = asking.withLock { asking in
            defer { asking = 1 }
            return asking == 0
        }
        guard isFirst else { return }
        DispatchQueue.global().async { [self] in
            var message = [CChar](repeating: 0, count: 256)
            _ = unsafe PQcancel(handle, &message, Int32(message.count))
            asking.withLock { $0 = 0 }
            answered.signal()
        }
    }

    /// Waits until the server has handled every request, so that none hits the connection's next statement.
    /// - Parameter limit: when the caller stops waiting for what comes next.
    /// - Returns: false if that took too long, and the connection can't be used any more.
    func settle(until limit: ContinuousClock.Instant?) -> Bool {
        let patience = DispatchTime.now() + Self.patience
        let deadline = min(patience, limit?.dispatchTime ?? patience)
        while asking.withLock({ $0 }) > 0 {
            if answered.wait(timeout: deadline) == .timedOut { return false }
        }
        return true
    }
}
