/// The sockets of one loop by descriptor.
///
/// A descriptor number is reused as soon as it is closed. That is safe here, since only jobs close sockets, and jobs
/// run after all events of a turn have been handed out.
struct SocketTable {
    private var slots: [LoopSocket?] = []
    private var count = 0

    var isEmpty: Bool { count == 0 }

    subscript(_ descriptor: Int32) -> LoopSocket? {
        let index = Int(descriptor)
        return index < slots.count ? slots[index] : nil
    }

    mutating func insert(_ socket: LoopSocket) {
        let index = Int(socket.number)
        while slots.count <= index { slots.append(nil) }
        slots[index] = socket
        count += 1
    }

    mutating func remove(_ socket: LoopSocket) {
        slots[Int(socket.number)] = nil
        count -= 1
    }

    func forEach(_ visit: (LoopSocket) -> Void) {
        for case let socket? in slots { visit(socket) }
    }
}
