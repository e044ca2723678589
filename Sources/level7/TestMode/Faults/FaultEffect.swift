import HTTPModel
import JSONText

/// What a fault does to a request, its answer or its connection.
enum FaultEffect: Sendable, Equatable {
    /// Nothing beyond the rule's delay.
    case delayed
    /// A new connection is reset before a byte is read.
    case refused
    /// The connection is closed at a given point.
    case closed(ClosingPoint)
    /// The server answers with a status and does nothing that was asked.
    case answered(HTTPStatus, retryAfter: Int?)
    /// The body of the answer ends after a number of bytes, as if it were complete.
    case truncated(bytes: Int)
    /// The answer is sent at a limited rate.
    case throttled(bytesPerSecond: Int)
    /// The first answer to the same request is repeated; if there was none, the request is served normally.
    case stale
    /// Another client changes the row just before the request is handled.
    case overtaken([JSONMember])

    /// Where a connection is closed.
    enum ClosingPoint: String, Sendable, CaseIterable {
        /// After the request's head was read, before its body.
        case beforeReading
        /// After the request was read, before any of it is done.
        case afterReading
        /// After the request was carried out and committed, before the client gets an answer.
        case afterCommit
        /// The same, but halfway through the answer's body.
        case midAnswer
    }
}
