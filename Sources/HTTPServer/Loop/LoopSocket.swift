internal import CSockets
internal import Glibc
internal import WorkQueue

/// A non-blocking socket whose task waits on a loop. Only the loop's thread touches it.
///
/// The loop may find the socket ready with nobody waiting, since the handler is at work. Then it only looks out for the
/// other side's leave, as a level-triggered set would report what came without end, and takes the socket out of its set
/// once that has come.
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
    /// Whether the client is still there, for those who work on its request.
    let departure = Departure()

    /// What becomes of the answers.
    let fate: ConnectionFate

    /// How long the queries of a client are gone on with that has shut its sending side: it may wait for its answer, or
    /// be gone altogether, which nobody can tell before something is sent.
    private static let graceTime = Duration.seconds(1)

    private let descriptor: Descriptor
    private var waiter: UnsafeContinuation<Wake, Never>?
    private var deadline = UInt64.max
    private var watched: Poller.Interest?
    private var isAborted = false
    private var hasShutSending = false
    /// When the client is taken for gone, on the loop's clock.
    private var departureTime = UInt64.max

    /// - Parameter number: an open descriptor, which the socket owns from now on.
    init(_ number: Int32, loop: EventLoop) {
        descriptor = Descriptor(number)
        fate = ConnectionFate(number)
        self.loop = loop
    }

    deinit {
        fate.end()
    }

    /// Receives what is there into the loop's own buffer, valid until the next `await`.
    func receive() -> Transfer {
        assert(loop.isCurrent)
        while true {
            let count = unsafe recv(number, loop.scratch.baseAddress, loop.scratch.count, 0)
            if count > 0 { return .bytes(count) }
            if count == 0 { return .end }
            if errno != EINTR { return failed() }
        }
    }

    /// Sends what there is room for.
    /// - Parameter hasMore: whether more follows at once, so that the system may wait with a packet that isn't full.
    func send(_ bytes: Span<UInt8>, hasMore: Bool) -> Transfer {
        assert(loop.isCurrent)
        let flags = Int32(hasMore ? MSG_NOSIGNAL | MSG_MORE : MSG_NOSIGNAL)
        while true {
            let count = unsafe bytes.withUnsafeBufferPointer {
                unsafe CSockets.send(number, $0.baseAddress, $0.count, flags)
            }
            if count >= 0 { return .bytes(count) }
            if errno != EINTR { return failed() }
        }
    }

    private func failed() -> Transfer {
        if errno == EAGAIN { return .blocked }
        fate.didBreak(errno)
        return .end
    }

    /// How much of what was sent waits in the system, or on its way, for the other side to take it.
    var untakenBytes: Int { ConnectionFate.untakenBytes(of: number) }

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

    /// To be called where work on a request begins: a client that has shut its sending side has some time for each.
    func beginWork() {
        guard hasShutSending, !isAborted else { return }
        departure.takeBack()
        departureTime = loop.clock.now + Self.graceTime.nanoseconds
    }

    func becomeReady(_ leave: Poller.Leave) {
        if unsafe waiter == nil {
            note(leave)
        } else {
            resume(.ready)
        }
    }

    private func note(_ leave: Poller.Leave) {
        switch leave {
        case .none:
            if watched != .leaving, watch(.leaving) { return }
        case .sending:
            hasShutSending = true
            departureTime = loop.clock.now + Self.graceTime.nanoseconds
        case .gone:
            departure.come()
        }
        loop.poller.remove(number)
        watched = nil
    }

    func expire(now: UInt64) {
        if now >= departureTime {
            departureTime = .max
            departure.come()
        }
        if now >= deadline { resume(.timedOut) }
    }

    func closeIfAtRest() {
        if isAtRest { resume(.draining) }
    }

    /// Cuts the connection off, also while its handler is at work.
    func abort() {
        isAborted = true
        departure.come()
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
