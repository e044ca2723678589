internal import CSockets
internal import Glibc

/// Wakes a loop that sleeps in its poller, from any thread.
struct Wakeup: ~Copyable {
    private let event: Descriptor

    init() throws(ServerError) {
        let number = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
        guard number >= 0 else { throw .last("eventfd") }
        event = Descriptor(number)
    }

    var number: Int32 { event.number }

    func signal() {
        // It fails only when it is signalled already.
        _ = eventfd_write(event.number, 1)
    }

    func clear() {
        var value: eventfd_t = 0
        _ = unsafe eventfd_read(event.number, &value)
    }
}
