/// A body that is produced while it is sent: each buffer is requested after the previous ones have been written to the
/// client's connection.
///
/// It is sent once, and produced within the connection's own task, on its event loop: anything that can block must be
/// awaited. If the client disconnects, or the server closes the connection, that task is cancelled.
public final class ResponseStream: Sendable {
    /// Returns the next buffer; nil if there are no more. An error closes the connection.
    public typealias Production = () async throws -> [UInt8]?

    /// The total size of all buffers, which is announced to the client; nil if unknown. Producing more or fewer bytes
    /// closes the connection.
    public let length: Int?
    private let start: @Sendable () -> Production

    /// Creates a body whose buffers are returned by a function.
    /// - Parameters:
    ///   - length: the total size of all buffers; nil if unknown.
    ///   - next: returns the next buffer; nil if there are no more. Empty ones are skipped.
    public init(length: Int? = nil, next: @escaping @Sendable () async throws -> [UInt8]?) {
        precondition(length ?? 0 >= 0, "A stream can't have fewer than no bytes.")
        self.length = length
        start = { { try await next() } }
    }

    /// Creates a body from a sequence of buffers.
    /// - Parameters:
    ///   - length: the total size of all buffers; nil if unknown.
    ///   - buffers: iterated once, or not at all if no body is sent, as for HEAD.
    public init<Buffers: AsyncSequence & Sendable>(length: Int? = nil, _ buffers: Buffers)
    where Buffers.Element == [UInt8] {
        precondition(length ?? 0 >= 0, "A stream can't have fewer than no bytes.")
        self.length = length
        start = {
            var iterator = buffers.makeAsyncIterator()
            return { try await iterator.next(isolation: #isolation) }
        }
    }

    /// Starts producing the buffers; must be called only once.
    public func begin() -> Production { start() }
}
