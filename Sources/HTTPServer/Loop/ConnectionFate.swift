internal import CSockets
internal import Glibc
internal import HTTPModel
internal import Synchronization

/// What became of a connection's answers. The loop tells it what happens; any thread may ask, also after the end.
final class ConnectionFate: AnsweredConnection {
    /// nil after the end.
    private let descriptor: Mutex<Int32?>
    private let begun = Atomic<UInt64>(0)
    private let sent = Atomic<UInt64>(0)
    private let isReset = Atomic(false)
    /// The last answer that was not lost, known from the end on.
    private let arrived = Atomic<UInt64>(0)

    init(_ descriptor: Int32) {
        self.descriptor = Mutex(descriptor)
    }

    /// Counts a request that is handed to its handler.
    func begin() -> AnswerTicket {
        AnswerTicket(self, begun.add(1, ordering: .relaxed).newValue)
    }

    /// Says that the system has the answers to all requests so far.
    func didSend() {
        sent.store(begun.load(ordering: .relaxed), ordering: .releasing)
    }

    /// Says that the other side broke the connection off.
    func didReset() {
        isReset.store(true, ordering: .relaxed)
    }

    /// To be called before the descriptor is closed.
    func end() {
        descriptor.withLock { descriptor in
            guard let number = descriptor else { return }
            let last = sent.load(ordering: .acquiring)
            arrived.store(last > 0 && isLost(last, on: number) ? last - 1 : last, ordering: .releasing)
            descriptor = nil
        }
    }

    func hasLost(_ number: UInt64) -> Bool {
        descriptor.withLock { descriptor in
            guard let descriptor else { return number > arrived.load(ordering: .acquiring) }
            return isLost(number, on: descriptor)
        }
    }

    func cut() {
        descriptor.withLock { descriptor in
            guard let descriptor else { return }
            // Without lingering the system drops what it still has to send.
            var option = linger(l_onoff: 1, l_linger: 0)
            let size = socklen_t(MemoryLayout<linger>.size)
            _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, size)
            shutdown(descriptor, Int32(SHUT_RDWR))
        }
    }

    /// How much of what was sent waits in the system, or on its way, for the other side to take it.
    static func untakenBytes(of descriptor: Int32) -> Int {
        var count: Int32 = 0
        return unsafe ioctl(descriptor, UInt(TIOCOUTQ), &count) == 0 ? Int(count) : 0
    }

    private func isLost(_ number: UInt64, on descriptor: Int32) -> Bool {
        let last = sent.load(ordering: .acquiring)
        // A client that asks again has the answers before.
        if number < last { return false }
        if isReset.load(ordering: .relaxed) { return true }
        return number > last ? Self.hasLeft(descriptor) : Self.isUntaken(descriptor)
    }

    /// Whether the client left while its answer was made.
    private static func hasLeft(_ descriptor: Int32) -> Bool {
        var byte: UInt8 = 0
        let count = unsafe recv(descriptor, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT))
        return count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)
    }

    /// Whether what was sent was not taken, and won't be.
    private static func isUntaken(_ descriptor: Int32) -> Bool {
        var failure: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        if unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &failure, &size) == 0, failure != 0 { return true }
        guard untakenBytes(of: descriptor) > 0 else { return false }
        var state = tcp_info()
        size = socklen_t(MemoryLayout<tcp_info>.size)
        guard unsafe getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_INFO, &state, &size) == 0 else { return true }
        // What was taken in time is told within 40 ms; it is sent again after 200 ms at the earliest.
        if state.tcpi_retransmits > 0 { return true }
        // Who closes after all has come says with the same packet that it has.
        return [TCP_CLOSE_WAIT, TCP_CLOSE].contains(Int(state.tcpi_state))
    }
}
