internal import HTTPModel

/// A stream on its way to the client.
struct OutgoingStream {
    let stream: ResponseStream
    let framing: BodyFraming
    /// The reservation for the buffer that is being sent.
    let charge: ByteReservation
    /// Called if the stream breaks off, with the reason.
    let didBreakOff: (any Error) -> Void
}

/// Why a stream broke off through no fault of its producer.
enum StreamFault: Error, CustomStringConvertible {
    case tooLong(announced: Int)
    case tooShort(announced: Int, missing: Int)
    case buffersFull
    /// The client took it more slowly than the limits allow.
    case tooSlow
    /// The client was slow for long, and others needed the memory.
    case displaced
    /// The server stopped without waiting for the stream any longer.
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
