import Dispatch

/// A session of another program that may wait for locks, and holds up no task meanwhile.
///
/// Sendable without the compiler's proof: the session is used on the queue only, but for `runNow`, which its caller has
/// to itself.
public final class RawSession: @unchecked Sendable {
    private let session: DatabaseSession
    private let queue = DispatchQueue(label: "raw session")

    /// Connects.
    public init(_ url: String) throws {
        session = try DatabaseSession(url)
    }

    /// Runs SQL and answers the rows of its last statement as text.
    @discardableResult
    public func run(_ sql: String) async throws -> [[String?]] {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try self.session.run(sql) }) }
        }
    }

    /// Runs SQL on the caller's thread.
    @discardableResult
    public func runNow(_ sql: String) throws -> [[String?]] {
        try session.run(sql)
    }
}
