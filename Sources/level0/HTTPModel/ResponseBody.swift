/// The body of an answer.
public enum ResponseBody: Sendable {
    /// A single buffer.
    case bytes([UInt8])
    /// Several buffers, sent one after another without being copied into one.
    case buffers([[UInt8]])
    /// Buffers that are produced while they are sent.
    case stream(ResponseStream)

    /// The size in bytes; nil for a stream of unknown size.
    public var length: Int? {
        switch self {
        case .bytes(let bytes): bytes.count
        case .buffers(let buffers): Self.count(buffers)
        case .stream(let stream): stream.length
        }
    }

    /// The number of bytes already in memory; 0 for a stream.
    public var heldBytes: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .buffers(let buffers): Self.count(buffers)
        case .stream: 0
        }
    }

    /// All bytes in one buffer; nil for a stream, which can only be sent.
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
