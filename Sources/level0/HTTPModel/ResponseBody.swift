/// What an answer brings.
public enum ResponseBody: Sendable {
    /// All of it in one buffer.
    case bytes([UInt8])
    /// Several buffers, one after another, without having to be copied into one.
    case buffers([[UInt8]])
    /// Buffers that are made while they are sent.
    case stream(ResponseStream)

    /// How many bytes it has; nil for a stream that doesn't know.
    public var length: Int? {
        switch self {
        case .bytes(let bytes): bytes.count
        case .buffers(let buffers): Self.count(buffers)
        case .stream(let stream): stream.length
        }
    }

    /// How many bytes are there already, and so are held: none of a stream's.
    public var heldBytes: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .buffers(let buffers): Self.count(buffers)
        case .stream: 0
        }
    }

    /// All bytes in one buffer; nil for a stream, which has to be sent to be had.
    public var joined: [UInt8]? {
        switch self {
        case .bytes(let bytes): bytes
        case .buffers(let buffers): Array(buffers.joined())
        case .stream: nil
        }
    }

    private static func count(_ buffers: [[UInt8]]) -> Int {
        buffers.reduce(0) { $0 + $1.count }
    }
}
