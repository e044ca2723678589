import CPostgres
import Dispatch

/// A session of another program: psql, or an administrator.
///
/// Sendable without the compiler's proof: the handle is used on the queue only, and by the end of the last reference.
@safe final class RawSession: @unchecked Sendable {
    private let handle: OpaquePointer
    private let queue = DispatchQueue(label: "raw session")

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    init(_ url: String) throws {
        guard let handle = unsafe PQconnectdb(url) else { throw Failure(description: "out of memory") }
        unsafe self.handle = unsafe handle
        guard unsafe PQstatus(handle) == CONNECTION_OK else {
            throw Failure(description: unsafe String(cString: PQerrorMessage(handle)))
        }
        unsafe PQsetNoticeReceiver(handle, { _, _ in }, nil)
    }

    deinit {
        unsafe PQfinish(handle)
    }

    /// Runs SQL and answers the rows of its last statement as text. Holds up no task meanwhile: it may wait for locks.
    @discardableResult
    func run(_ sql: String) async throws -> [[String?]] {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try self.runNow(sql) }) }
        }
    }

    /// Runs SQL on the caller's thread.
    @discardableResult
    func runNow(_ sql: String) throws -> [[String?]] {
        let result = unsafe PQexec(handle, sql)
        defer { unsafe PQclear(result) }
        switch unsafe PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK: break
        default: throw Failure(description: unsafe String(cString: PQerrorMessage(handle)))
        }
        return unsafe (0..<PQntuples(result)).map { row in
            unsafe (0..<PQnfields(result)).map { column in
                unsafe PQgetisnull(result, row, column) == 1
                    ? nil : unsafe String(cString: PQgetvalue(result, row, column))
            }
        }
    }
}
