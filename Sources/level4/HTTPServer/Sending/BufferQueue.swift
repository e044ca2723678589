/// Buffers that are sent one after another, without being copied into one.
struct BufferQueue {
    private var buffers: [[UInt8]]
    private var index = 0
    /// How much of the first is sent.
    private(set) var offset = 0
    /// How many bytes are still to be sent.
    private(set) var count: Int

    init(_ buffers: [[UInt8]]) {
        // An empty one would look like the end to whoever sends the first.
        self.buffers = buffers.filter { !$0.isEmpty }
        count = buffers.reduce(0) { $0 + $1.count }
    }

    /// Those that are still to be sent, the first as a whole.
    var rest: ArraySlice<[UInt8]> { buffers[index...] }

    /// Removes that many bytes from the front, and frees what was sent.
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
