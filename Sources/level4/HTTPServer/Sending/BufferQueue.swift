/// Buffers that are sent one after another, without being copied into one.
struct BufferQueue {
    private var buffers: [[UInt8]]
    private var index = 0
    /// How many bytes of the first buffer have been sent.
    private(set) var offset = 0
    /// How many bytes are left to send.
    private(set) var count: Int

    init(_ buffers: [[UInt8]]) {
        // An empty buffer at the front would look like the end.
        self.buffers = buffers.filter { !$0.isEmpty }
        count = buffers.reduce(0) { $0 + $1.count }
    }

    /// The remaining buffers, including all of the first one.
    var rest: ArraySlice<[UInt8]> { buffers[index...] }

    /// Removes that many bytes from the front, and frees buffers that have been sent.
    mutating func drop(_ sent: Int) {
        count -= sent
        offset += sent
        while index < buffers.count, offset >= buffers[index].count {
            offset -= buffers[index].count
            buffers[index] = []
            index += 1
        }
    }
}
