/// Wakes a loop that sleeps in its poller, from any thread.
public struct Wakeup: ~Copyable, Sendable {
    /// The descriptor that the poller waits for: an eventfd, or the read end of a pipe.
    private let event: Descriptor
    /// The write end of a pipe; none for an eventfd.
    private let end: Descriptor

    /// - Returns: nil if the system has no descriptors left; see errno.
    public init?(_ kind: Poller.Kind) {
        guard let (event, end) = Self.open(kind) else { return nil }
        self.event = Descriptor(event)
        self.end = Descriptor(end)
    }

    private static func open(_ kind: Poller.Kind) -> (event: Int32, end: Int32)? {
        #if os(Linux)
            if kind == .epoll {
                let number = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
                return number >= 0 ? (number, -1) : nil
            }
        #endif
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { return nil }
        guard ends.allSatisfy(Sockets.prepare) else {
            for number in ends { close(number) }
            return nil
        }
        return (ends[0], ends[1])
    }

    /// The descriptor to wait for.
    public var number: Int32 { event.number }

    /// Wakes the loop. It can only fail if the loop is already awake.
    public func signal() {
        if end.number >= 0 {
            var byte: UInt8 = 1
            _ = unsafe write(end.number, &byte, 1)
            return
        }
        #if os(Linux)
            _ = eventfd_write(event.number, 1)
        #endif
    }

    /// Clears all signals so far.
    public func clear() {
        if end.number >= 0 {
            var bytes = [UInt8](repeating: 0, count: 512)
            while unsafe read(event.number, &bytes, bytes.count) == bytes.count {}
            return
        }
        #if os(Linux)
            var value: eventfd_t = 0
            _ = unsafe eventfd_read(event.number, &value)
        #endif
    }
}
