internal import HTTPModel
internal import Platform
internal import TLS
internal import WorkThreads

/// A non-blocking socket that a loop waits for, with a task or, between requests, without one. Only the loop's thread
/// touches it.
///
/// The loop may find the socket ready while nothing waits for it, because the handler is busy. It then only watches for
/// the peer to close, because a level-triggered set would report unread data over and over, and removes the socket from
/// its set once that has happened.
@safe final class LoopSocket {
    /// What ended a wait.
    enum Wake {
        case ready
        case timedOut
        /// The server drains, and this connection is idle.
        case draining
        /// The client was slow for long, and others need the memory that it holds.
        case displaced
        case aborted
    }

    /// The result of sending or receiving.
    enum Transfer {
        case bytes(Int)
        /// Nothing available or no room, until the socket is ready.
        case blocked
        /// The peer has finished, or is gone.
        case end
        /// TLS failed. A client that speaks plain HTTP can be told.
        case fault(TLSFault)
    }

    var number: Int32 { descriptor.number }
    let loop: EventLoop
    /// Whether a task waits for it between requests, so that a drain may close it.
    var isAtRest = false
    /// Tells code that works on the client's request whether the client is still there.
    let disconnect = ClientDisconnect()

    /// The fate of the answers.
    let fate: DeliveryTracker

    /// How long queries continue for a client that has shut down its sending side: it may be waiting for its answer or
    /// be gone altogether, which can't be known until something is sent.
    private static let graceTime = Duration.seconds(1)

    /// How much of an answer is encrypted at a time, in bytes: two records.
    private static let sealedBytes = 32 << 10

    /// Whether the peer should see the end of the connection as a failure.
    var resetsAtClose = false {
        didSet { if resetsAtClose != oldValue { fate.setReset(atClose: resetsAtClose) } }
    }

    /// Its place among the slow clients; nil while it isn't slow.
    var slowness: SlowClients.Place?

    private let descriptor: Descriptor
    /// The TLS session; nil for plain HTTP.
    private var session: TLSSession?
    /// How many of the next bytes to send are already encrypted.
    private var sealedCount = 0
    private var waiter: UnsafeContinuation<Wake, Never>?
    /// The idle connection, to be notified when something arrives.
    private var sleeper: Connection?
    private var deadline = UInt64.max
    private var watched: Poller.Interest?
    private var isAborted = false
    private var hasShutSending = false
    /// The connection's task while it produces more of an answer; it lives for as long as that takes.
    private var producer: UnsafeCurrentTask?
    /// When the client is considered gone, on the loop's clock.
    private var disconnectTime = UInt64.max

    /// - Parameters:
    ///   - number: an open descriptor, which the socket owns from then on.
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

    /// Receives available bytes into the loop's own buffer, where they are valid until the next `await`.
    func receive() -> Transfer {
        assert(loop.isCurrent)
        guard let session else { return unsafe receive(into: loop.scratch) }
        // The end came together with text, which was returned first.
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

    /// Sends as much as there is room for. If that is not everything, the next call has to begin with the rest.
    /// - Parameter hasMore: whether more follows at once, so that the system may hold back a partial packet.
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

    /// Sends buffers one after another, like `send`: one at a time if encrypted, otherwise several at once.
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

    /// The number of bytes encrypted but not yet sent.
    var unsentBytes: Int { session?.unsent.count ?? 0 }

    /// How many of the next bytes to send the system has already taken.
    var sentAheadBytes: Int { max(0, sealedCount - unsentBytes) }

    /// Sends the session's pending bytes.
    /// - Returns: `.bytes` if all of them were sent.
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

    /// The number of sent bytes that the peer has not taken yet: they are in the system or on their way.
    var untakenBytes: Int { Sockets.untakenBytes(of: number) }

    /// Announces in the TLS session that nothing more will come, if there is one and there is room for it.
    func sayGoodbye() {
        guard let session else { return }
        session.finish()
        _ = sendUnsent(of: session, hasMore: false)
    }

    /// Shuts down the sending side of the connection.
    func finishSending() {
        shutdown(number, Int32(SHUT_WR))
    }

    /// Suspends the task until the socket is ready, or something else ends the wait.
    /// - Parameter deadline: a time on the loop's clock.
    nonisolated(nonsending) func wait(for interest: Poller.Interest, until deadline: UInt64) async -> Wake {
        assert(loop.isCurrent)
        // The handshake's bytes go first: the peer waits for them.
        if let session, interest == .reading {
            // Bytes after a close_notify are not the client's.
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
    /// - Parameter deadline: a time on the loop's clock.
    /// - Returns: false if a task has to wait.
    func rest(_ connection: Connection, until deadline: UInt64) -> Bool {
        assert(loop.isCurrent)
        if let session, session.hasEnded || !session.unsent.isEmpty { return false }
        guard !isAborted, watch(.reading) else { return false }
        self.deadline = deadline
        sleeper = connection
        return true
    }

    /// To be called when work on a request begins: a client that has shut its sending side gets some time for each.
    func beginWork() {
        guard hasShutSending, !isAborted else { return }
        disconnect.takeBack()
        disconnectTime = loop.clock.now + Self.graceTime.nanoseconds
    }

    /// Produces more of an answer, in the connection's task. If the client leaves or the connection is cut off, the
    /// task is cancelled and this throws, whatever the producer returns.
    func produce(_ production: ResponseStream.Production) async throws -> [UInt8]? {
        assert(loop.isCurrent)
        beginWork()
        if isLost { throw CancellationError() }
        unsafe withUnsafeCurrentTask { unsafe producer = $0 }
        defer {
            unsafe producer = nil
            // What has been produced is sent, however long the client takes.
            disconnectTime = .max
        }
        let buffer = try await production()
        if isLost { throw CancellationError() }
        return buffer
    }

    /// Whether nothing more can be sent, since the client left or the connection was cut off.
    var isLost: Bool { isAborted || disconnect.hasCome }

    private func noteDisconnect() {
        disconnect.come()
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
            disconnectTime = loop.clock.now + Self.graceTime.nanoseconds
        case .gone:
            noteDisconnect()
        }
        loop.poller.remove(number)
        watched = nil
    }

    func expire(now: UInt64) {
        if now >= disconnectTime {
            disconnectTime = .max
            noteDisconnect()
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
        noteDisconnect()
        // An orderly end would make a partial body that ends with the connection look complete.
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
