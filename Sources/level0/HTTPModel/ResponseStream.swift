/// A body that is produced while it is sent: each buffer is requested once the previous ones have gone to the client's
/// connection.
///
/// It is sent once. It is produced within the connection's own task, on its event loop: anything that can block has to
/// be awaited. If the client leaves, or the server cuts the connection off, that task is cancelled.
public final class ResponseStream: Sendable {
    /// Makes the next buffer; nil if there are no more. An error cuts the connection off.
    public typealias Production = () async throws -> [UInt8]?

    /// The total size of all buffers, which is announced to the client; nil if it isn't known. More or fewer bytes than
    /// announced cut the connection off.
    public let length: Int?
    private let start: @Sendable () -> Production

    /// A body whose buffers are made by a function.
    /// - Parameters:
    ///   - length: the total size of all buffers; nil if it isn't known.
    ///   - next: makes the next buffer; nil if there are no more. Empty ones are skipped.
    public init(length: Int? = nil, next: @escaping @Sendable () async throws -> [UInt8]?) {
        precondition(length ?? 0 >= 0, "A stream can't have fewer than no bytes.")
        self.length = length
        start = { { try await next() } }
    }

    /// A body of the buffers of a sequence.
    /// - Parameters:
    ///   - length: the total size of all buffers; nil if it isn't known.
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

    /// Begins to make the buffers; to be called once.
    public func begin() -> Production { start() }
}
