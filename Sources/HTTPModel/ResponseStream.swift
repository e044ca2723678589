/// A body that is made while it is sent: each buffer is asked for once those before have gone to the client's connection.
///
/// It is sent once. Its production runs within the connection's own task, on its event loop: what can block has to be
/// awaited. Where the client goes, or the server cuts the connection off, that task is cancelled.
public final class ResponseStream: Sendable {
    /// Makes the next buffer; nil where there is none any more. An error cuts the connection off.
    public typealias Production = () async throws -> [UInt8]?

    /// The bytes of all buffers together, which are announced to the client; nil where nobody knows. More or fewer than
    /// announced cut the connection off.
    public let length: Int?
    private let start: @Sendable () -> Production

    /// A body whose buffers a function makes.
    /// - Parameters:
    ///   - length: the bytes of all buffers together; nil where that is not known.
    ///   - next: makes the next buffer; nil where there is none any more. Empty ones are passed over.
    public init(length: Int? = nil, next: @escaping @Sendable () async throws -> [UInt8]?) {
        precondition(length ?? 0 >= 0, "A stream can't have fewer than no bytes.")
        self.length = length
        start = { { try await next() } }
    }

    /// A body of the buffers of a sequence.
    /// - Parameters:
    ///   - length: the bytes of all buffers together; nil where that is not known.
    ///   - buffers: iterated once, and not at all where no body is sent, as to HEAD.
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
