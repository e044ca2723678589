internal import HTTPModel

/// A stream on its way to the client.
struct OutgoingStream {
    let stream: ResponseStream
    let framing: BodyFraming
    /// What the buffer that is being sent holds of the budget.
    let charge: ByteReservation
    /// Reports that it broke off, and why.
    let didBreakOff: (any Error) -> Void
}

/// Why a stream is broken off that its producer didn't break off.
enum StreamFault: Error, CustomStringConvertible {
    case tooLong(announced: Int)
    case tooShort(announced: Int, missing: Int)
    case buffersFull
    /// The client took less than it has to.
    case tooSlow
    /// The client took little for long, and others needed the memory.
    case displaced
    /// The server stopped, and waited for it no longer.
    case stopped

    var description: String {
        switch self {
        case .tooLong(let announced): "the stream has more than the \(announced) bytes that were announced"
        case .tooShort(let announced, let missing):
            "the stream has \(missing) bytes fewer than the \(announced) that were announced"
        case .tooSlow: "the client takes its answer too slowly"
        case .displaced: "the client takes its answer slowly, and others need the memory"
        case .stopped: "the server stops"
        case .buffersFull: "the stream's next buffer has no room beside the bodies and answers of others"
        }
    }
}
