internal import CSockets
internal import Glibc

/// A non-blocking socket whose task waits on a loop. Only the loop's thread touches it.
///
/// The loop may find the socket ready with nobody waiting, since the handler is at work. Then it takes the socket out of
/// its set until somebody waits again, as a level-triggered set would report it without end.
@safe final class LoopSocket {
    /// What ended a wait.
    enum Wake {
        case ready
        case timedOut
        /// The server drains and this connection is at rest.
        case draining
        case aborted
    }

    /// What a call for bytes came to.
    enum Transfer {
        case bytes(Int)
        /// Nothing to be had, or no room, until the socket is ready.
        case blocked
        /// The other side is done, or gone.
        case end
    }

    var number: Int32 { descriptor.number }
    let loop: EventLoop
    /// Whether the connection is between requests, so that a drain may close it.
    var isAtRest = false

    private let descriptor: Descriptor
    private var waiter: UnsafeContinuation<Wake, Never>?
    private var deadline = UInt64.max
    private var watched: Poller.Interest?
    private var isAborted = false

    /// - Parameter number: an open descriptor, which the socket owns from now on.
    init(_ number: Int32, loop: EventLoop) {
        descriptor = Descriptor(number)
        self.loop = loop
    }

    /// Receives what is there into the loop's own buffer, valid until the next `await`.
    func receive() -> Transfer {
        assert(loop.isCurrent)
        while true {
            let count = unsafe recv(number, loop.scratch.baseAddress, loop.scratch.count, 0)
            if count > 0 { return .bytes(count) }
            if count == 0 { return .end }
            if errno != EINTR { return errno == EAGAIN ? .blocked : .end }
        }
    }

    /// Sends what there is room for.
    func send(_ bytes: Span<UInt8>) -> Transfer {
        assert(loop.isCurrent)
        while true {
            let count = unsafe bytes.withUnsafeBufferPointer {
                unsafe CSockets.send(number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count >= 0 { return .bytes(count) }
            if errno != EINTR { return errno == EAGAIN ? .blocked : .end }
        }
    }

    /// Tells the other side that nothing more will come.
    func finishSending() {
        shutdown(number, Int32(SHUT_WR))
    }

    /// Suspends the task until the socket is ready, or something else ends the wait.
    /// - Parameter deadline: on the loop's clock.
    nonisolated(nonsending) func wait(for interest: Poller.Interest, until deadline: UInt64) async -> Wake {
        assert(loop.isCurrent)
        guard !isAborted, watch(interest) else { return .aborted }
        self.deadline = deadline
        return unsafe await withUnsafeContinuation { unsafe waiter = $0 }
    }

    func becomeReady() {
        if unsafe waiter == nil {
            loop.poller.remove(number)
            watched = nil
        } else {
            resume(.ready)
        }
    }

    func expire(now: UInt64) {
        if now >= deadline { resume(.timedOut) }
    }

    func closeIfAtRest() {
        if isAtRest { resume(.draining) }
    }

    /// Cuts the connection off, also while its handler is at work.
    func abort() {
        isAborted = true
        shutdown(number, Int32(SHUT_RDWR))
        resume(.aborted)
    }

    private func watch(_ interest: Poller.Interest) -> Bool {
        if watched == interest { return true }
        let succeeded =
            watched == nil ? loop.poller.add(number, for: interest) : loop.poller.change(number, to: interest)
        watched = interest
        return succeeded
    }

    private func resume(_ wake: Wake) {
        guard let waiter = unsafe waiter else { return }
        unsafe self.waiter = nil
        deadline = .max
        unsafe waiter.resume(returning: wake)
    }
}
