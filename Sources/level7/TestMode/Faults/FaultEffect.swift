import HTTPModel
import JSONText

/// What a fault does to a request, its answer or its connection.
enum FaultEffect: Sendable, Equatable {
    /// Nothing but what the rule's delay does.
    case delayed
    /// A new connection is reset before a byte is read.
    case refused
    /// The connection is closed at that point.
    case closed(ClosingPoint)
    /// The server answers that, and does nothing of what was asked.
    case answered(HTTPStatus, retryAfter: Int?)
    /// The answer's body ends after that many bytes, properly.
    case truncated(bytes: Int)
    /// The answer arrives at that many bytes per second.
    case throttled(bytesPerSecond: Int)
    /// What the same address answered at first is answered once more; a first answer is true.
    case stale
    /// Somebody else writes the row right before the request is done.
    case overtaken([JSONMember])

    /// Where a connection is closed.
    enum ClosingPoint: String, Sendable, CaseIterable {
        /// The request's head is read, its body is not.
        case beforeReading
        /// The request is read, and nothing of it is done.
        case afterReading
        /// All that was asked is done and lasts, and the client doesn't hear of it.
        case afterCommit
        /// The same, and half of the answer's body arrives.
        case midAnswer
    }
}
