internal import HTTPModel
internal import Platform
internal import TLS
internal import WorkThreads

/// A non-blocking socket that a loop waits for, with a task or, between requests, without one. Only the loop's thread
/// touches it.
///
/// The loop may find the socket ready with nobody waiting, because the handler is busy. Then it only watches whether
/// the other side closes, because a level-triggered set would report unread data over and over, and takes the socket
/// out of its set once that has happened.
@safe final class LoopSocket {
    /// What ended a wait.
    enum Wake {
        case ready
        case timedOut
        /// The server drains and this connection is at rest.
        case draining
        /// It was slow for long, and others need what it holds.
        case displaced
        case aborted
    }

    /// What a call for bytes came to.
    enum Transfer {
        case bytes(Int)
        /// Nothing to be had, or no room, until the socket is ready.
        case blocked
        /// The other side is done, or gone.
        case end
        /// TLS failed. A client that speaks plain HTTP can be told so.
        case fault(TLSFault)
    }

    var number: Int32 { descriptor.number }
    let loop: EventLoop
    /// Whether a task waits for it between requests, so that a drain may close it.
    var isAtRest = false
    /// Whether the client is still there, for code that works on its request.
    let departure = ClientDisconnect()

    /// What becomes of the answers.
    let fate: DeliveryTracker

    /// How long queries continue for a client that has shut down its sending side: it may be waiting for its answer or
    /// be gone altogether, and there is no telling before something is sent.
    private static let graceTime = Duration.seconds(1)

    /// So much of an answer is encrypted at a time: two records.
    private static let sealedBytes = 32 << 10

    /// Whether the other side should take the end of the connection for a failure.
    var resetsAtClose = false {
        didSet { if resetsAtClose != oldValue { fate.setReset(atClose: resetsAtClose) } }
    }

    /// Its place among the slow clients; nil while it isn't slow.
    var slowness: SlowClients.Place?

    private let descriptor: Descriptor
    /// What encrypts; nil for plain HTTP.
    private var session: TLSSession?
    /// How much of what is sent next is encrypted already.
    private var sealedCount = 0
    private var waiter: UnsafeContinuation<Wake, Never>?
    /// The idle connection, to be told when something arrives.
    private var sleeper: Connection?
    private var deadline = UInt64.max
    private var watched: Poller.Interest?
    private var isAborted = false
    private var hasShutSending = false
    /// The task of the connection while it produces more of an answer; it lives as long as that takes.
    private var producer: UnsafeCurrentTask?
    /// When the client is taken for gone, on the loop's clock.
    private var departureTime = UInt64.max

    /// - Parameters:
    ///   - number: an open descriptor, which the socket owns from now on.
    ///   - session: encrypts what is sent; nil for plain HTTP.
    init(_ number: Int32, loop: EventLoop, session: TLSSession?) {
        descriptor = Descriptor(number)
        fate = DeliveryTracker(number, isSecured: session != nil)
        self.loop = loop
        self.session = session
    }

    /// Whether it is encrypted.
    var isSecured: Bool { session != nil }

    /// Whether an answer can be sent.
    var isEstablished: Bool { session?.isEstablished ?? true }

    deinit {
        fate.end()
    }

    /// Receives what is there into the loop's own buffer, valid until the next `await`.
    func receive() -> Transfer {
        assert(loop.isCurrent)
        guard let session else { return unsafe receive(into: loop.scratch) }
        // Said together with text, which came first.
        if session.hasEnded { return .end }
        let transfer = unsafe receive(into: loop.sealedScratch)
        guard case .bytes(let sealed) = transfer else { return transfer }
        let produced = session.producedBytes
        let outcome = unsafe session.decrypt(
            UnsafeBufferPointer(rebasing: loop.sealedScratch[..<sealed]), into: loop.scratch)
        fate.willSendBefore(session.producedBytes - produced)
        if case .end = sendUnsent(of: session, hasMore: false) { return .end }
        switch outcome {
        case .text(let count): return count > 0 ? .bytes(count) : .blocked
        case .end: return .end
        case .fault(let fault):
            if fault == .plainHTTP, !session.isEstablished { self.session = nil }
            return .fault(fault)
        }
    }

    private func receive(into room: UnsafeMutableBufferPointer<UInt8>) -> Transfer {
        while true {
            let count = unsafe recv(number, room.baseAddress, room.count, 0)
            if count > 0 { return .bytes(count) }
            if count == 0 { return .end }
            if errno != EINTR { return failed() }
        }
    }

    /// Sends what there is room for. Where that was less than all, what is sent next begins with the rest.
    /// - Parameter hasMore: whether more follows at once, so that the system may wait with a packet that isn't full.
    func send(_ bytes: Span<UInt8>, hasMore: Bool) -> Transfer {
        assert(loop.isCurrent)
        guard let session else { return sendPlain(bytes, hasMore: hasMore) }
        if sealedCount == 0 {
            let count = min(bytes.count, Self.sealedBytes)
            let produced = session.producedBytes
            guard session.encrypt(bytes.extracting(first: count)) else { return .end }
            fate.willSendWith(session.producedBytes - produced - UInt64(count))
            sealedCount = count
        }
        let transfer = sendUnsent(of: session, hasMore: hasMore)
        guard case .bytes = transfer else { return transfer }
        defer { sealedCount = 0 }
        return .bytes(sealedCount)
    }

    /// Sends buffers one after another, like `send`: encrypted in turn, otherwise several at once.
    /// - Parameter most: the maximum number of bytes to send.
    func send(_ queue: BufferQueue, most: Int) -> Transfer {
        guard let first = queue.rest.first else { return .bytes(0) }
        guard session == nil else {
            let rest = first.span.extracting(queue.offset...)
            return send(rest.extracting(first: most), hasMore: queue.count > rest.count)
        }
        assert(loop.isCurrent)
        while true {
            let count = Sockets.send(
                queue.rest, skipping: queue.offset, most: most, to: number, flags: Sockets.sendFlags())
            if count >= 0 { return .bytes(count) }
            if errno != EINTR { return failed() }
        }
    }

    /// How much is held that was encrypted and not yet sent.
    var unsentBytes: Int { session?.unsent.count ?? 0 }

    /// How much of what is sent next the system has taken already.
    var sentAheadBytes: Int { max(0, sealedCount - unsentBytes) }

    /// Sends what the session has to send.
    /// - Returns: `.bytes` where all of it is sent.
    private func sendUnsent(of session: TLSSession, hasMore: Bool) -> Transfer {
        while !session.unsent.isEmpty {
            let transfer = sendPlain(session.unsent.span, hasMore: hasMore)
            guard case .bytes(let count) = transfer else { return transfer }
            session.didSend(count)
        }
        return .bytes(0)
    }

    private func sendPlain(_ bytes: Span<UInt8>, hasMore: Bool) -> Transfer {
        let flags = Sockets.sendFlags(hasMore: hasMore)
        while true {
            let count = unsafe bytes.withUnsafeBufferPointer {
                unsafe Platform.send(number, $0.baseAddress, $0.count, flags)
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
    var untakenBytes: Int { Sockets.untakenBytes(of: number) }

    /// Announces in the encrypted session that nothing more will come, if there is one and there is room for it.
    func sayGoodbye() {
        guard let session else { return }
        session.finish()
        _ = sendUnsent(of: session, hasMore: false)
    }

    /// Tells the other side that nothing more will come.
    func finishSending() {
        shutdown(number, Int32(SHUT_WR))
    }

    /// Suspends the task until the socket is ready, or something else ends the wait.
    /// - Parameter deadline: on the loop's clock.
    nonisolated(nonsending) func wait(for interest: Poller.Interest, until deadline: UInt64) async -> Wake {
        assert(loop.isCurrent)
        // What a handshake has to say comes first: the other side waits for it.
        if let session, interest == .reading {
            // What would come behind a goodbye is none of the client's.
            if session.hasEnded { return .ready }
            while !session.unsent.isEmpty {
                let wake = await waitOnce(for: .writing, until: deadline)
                guard wake == .ready else { return wake }
                if case .end = sendUnsent(of: session, hasMore: false) { return .aborted }
            }
        }
        return await waitOnce(for: interest, until: deadline)
    }

    private nonisolated(nonsending) func waitOnce(for interest: Poller.Interest, until deadline: UInt64) async -> Wake {
        guard !isAborted, watch(interest) else { return .aborted }
        if slowness?.givesWay == true { return .displaced }
        self.deadline = deadline
        return unsafe await withUnsafeContinuation { unsafe waiter = $0 }
    }

    /// Has the connection notified when something arrives, without a task that waits for it.
    /// - Parameter deadline: on the loop's clock.
    /// - Returns: false if a task has to wait.
    func rest(_ connection: Connection, until deadline: UInt64) -> Bool {
        assert(loop.isCurrent)
        if let session, session.hasEnded || !session.unsent.isEmpty { return false }
        guard !isAborted, watch(.reading) else { return false }
        self.deadline = deadline
        sleeper = connection
        return true
    }

    /// To be called where work on a request begins: a client that has shut its sending side has some time for each.
    func beginWork() {
        guard hasShutSending, !isAborted else { return }
        departure.takeBack()
        departureTime = loop.clock.now + Self.graceTime.nanoseconds
    }

    /// Produces more of an answer, in the connection's task: it is cancelled if the client leaves or the connection is
    /// cut off, and the result is then an error whatever the producer makes of it.
    func produce(_ production: ResponseStream.Production) async throws -> [UInt8]? {
        assert(loop.isCurrent)
        beginWork()
        if isLost { throw CancellationError() }
        unsafe withUnsafeCurrentTask { unsafe producer = $0 }
        defer {
            unsafe producer = nil
            // What is made now is sent, however long the client takes.
            departureTime = .max
        }
        let buffer = try await production()
        if isLost { throw CancellationError() }
        return buffer
    }

    /// Whether nothing more can be sent, since the client went or the connection was cut off.
    var isLost: Bool { isAborted || departure.hasCome }

    private func noteDeparture() {
        departure.come()
        unsafe producer?.cancel()
    }

    func becomeReady(_ leave: Poller.PeerClose) {
        if unsafe waiter == nil, sleeper == nil {
            note(leave)
        } else {
            resume(.ready)
        }
    }

    private func note(_ leave: Poller.PeerClose) {
        switch leave {
        case .none:
            if watched != .leaving, watch(.leaving) { return }
        case .sending:
            hasShutSending = true
            departureTime = loop.clock.now + Self.graceTime.nanoseconds
        case .gone:
            noteDeparture()
        }
        loop.poller.remove(number)
        watched = nil
    }

    func expire(now: UInt64) {
        if now >= departureTime {
            departureTime = .max
            noteDeparture()
        }
        if now >= deadline { resume(.timedOut) }
    }

    /// Ends the wait if the client has to make room for others.
    func giveWay() {
        if slowness?.givesWay == true { resume(.displaced) }
    }

    func closeIfAtRest() {
        if isAtRest || sleeper != nil { resume(.draining) }
    }

    /// Cuts the connection off, even while its handler is busy.
    func abort() {
        isAborted = true
        noteDeparture()
        // An orderly end would make a whole of a part that ends with the connection.
        shutdown(number, Int32(resetsAtClose ? SHUT_RD : SHUT_RDWR))
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
        if let connection = sleeper {
            sleeper = nil
            deadline = .max
            connection.endRest(wake)
            return
        }
        guard let waiter = unsafe waiter else { return }
        unsafe self.waiter = nil
        deadline = .max
        unsafe waiter.resume(returning: wake)
    }
}
