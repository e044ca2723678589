public import HTTPModel
public import MetricSeries
public import Platform
internal import Synchronization
public import TLS

/// An HTTP/1.1 and 1.0 server on plain sockets. It is started once, drained or stopped, and can't be restarted.
public final class HTTPServer: Sendable {
    private let handler: any HTTPHandler
    private let limits: CurrentLimits
    private let identity: CurrentIdentity
    private let state: ServerState
    private let loops = Mutex<[EventLoop]>([])
    private let polling: Poller.Kind

    /// - Parameters:
    ///   - handler: answers the requests. It runs on an event loop, as do the async functions it awaits and actors
    ///     without an executor of their own: anything that blocks has to be handed to another thread.
    ///   - budget: limits what all requests and answers hold together.
    ///   - identity: the server's TLS identity; nil for plain HTTP.
    ///   - metrics: counts connections.
    ///   - polling: how the loops wait; anything but the system's best way is for tests.
    ///   - tellOfFailure: called on the event loop of a connection on which TLS failed.
    public init(
        handler: any HTTPHandler, limits: ServerLimits = ServerLimits(), budget: ByteBudget = ByteBudget(512 << 20),
        identity: TLSIdentity? = nil, metrics: MetricRegistry = MetricRegistry(),
        polling: Poller.Kind = .best,
        tellOfFailure: @escaping @Sendable (_ peer: String, _ fault: TLSFault) -> Void = { _, _ in }
    ) {
        self.handler = handler
        self.polling = polling
        self.limits = CurrentLimits(limits)
        self.identity = CurrentIdentity(identity)
        state = ServerState(budget, areSecured: identity != nil, metrics, tellOfFailure: tellOfFailure)
    }

    /// Changes the limits for new connections, and for open ones from their next request on.
    public func change(to newer: ServerLimits) {
        limits.replace(with: newer)
        raiseDescriptorLimit()
    }

    /// Changes the certificate for new connections, if the server has one.
    public func change(to newer: TLSIdentity) {
        identity.replace(with: newer)
    }

    /// The number of connections accepted and not yet closed, including those being refused.
    public var openConnections: Int {
        state.openCount
    }

    /// Starts listening and serving.
    /// - Parameters:
    ///   - host: an IPv4 or IPv6 address or a name such as `localhost`.
    ///   - port: 0 for any free port.
    /// - Returns: the numeric address and the port that it listens on.
    public func start(host: String, port: UInt16) throws(ServerError) -> (host: String, port: UInt16) {
        try start(at: .address(host: host, port: port, isShared: false))
    }

    /// Starts listening and serving.
    /// - Returns: the numeric address and the port that it listens on.
    public func start(at place: ListenAddress) throws(ServerError) -> (host: String, port: UInt16) {
        try loops.withLock { loops throws(ServerError) in
            guard loops.isEmpty, state.phase == .running else { throw .alreadyStarted }
            raiseDescriptorLimit()
            FreedMemory.bound()
            let listener = try Listener.open(at: place)
            let isShared = place.isShared
            var bound = SocketAddress()
            guard unsafe bound.fill({ unsafe getsockname(listener.number, $0, $1) }) == 0 else {
                throw .last("getsockname")
            }
            var started: [EventLoop] = []
            for _ in 0..<Self.loopCount { started.append(try EventLoop(state: state, polling: polling)) }
            loops = started
            if isShared { ConnectionSteering.toNewest(listener) }
            let acceptor = Acceptor(
                listener: listener, isShared: isShared, loops: started, handler: handler, limits: limits,
                identity: identity, state: state, polling: polling)
            for loop in started.dropFirst() { loop.start(nil) }
            started[0].start(acceptor)
            return (bound.host, bound.port)
        }
    }

    /// Stops accepting once the connections waiting for it have been accepted, closes idle connections, and lets
    /// requests in flight finish with `Connection: close`. A client that got an answer within the last three seconds
    /// may send one more request.
    ///
    /// Returns when the last connection is gone or the drain time is over; the server has then stopped.
    public func drain() async {
        state.advance(to: .draining)
        let loops = loops.withLock { $0 }
        guard !loops.isEmpty else { return }
        for loop in loops { loop.wake() }
        await state.waitUntilEmpty(deadline: LoopClock.monotonic() + limits.value.values.drainTime.nanoseconds)
        stop()
    }

    /// Stops at once: connections are cut off in mid-request. The threads end with the last handler.
    public func stop() {
        state.advance(to: .stopping)
        for loop in loops.withLock({ $0 }) { loop.wake() }
    }

    /// Asks every event loop for a sign of life.
    public func askForLife() {
        for loop in loops.withLock({ $0 }) { loop.askForLife() }
    }

    /// Whether all loops have responded to `askForLife`.
    public var isAlive: Bool {
        loops.withLock { $0.allSatisfy(\.isAlive) }
    }

    /// How the loops wait.
    var pollings: [Poller.Kind] { loops.withLock { $0.map(\.polling) } }

    /// With more than four, loops would only wait for each other: the kernel does most of the work.
    private static var loopCount: Int {
        min(max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1), 4)
    }

    /// Raises the process's descriptor limit to what the connection limit needs, as far as the system allows.
    private func raiseDescriptorLimit() {
        // Besides connections: refusals, the store's files and connections, standard streams.
        DescriptorLimit.raise(to: limits.value.values.connectionCount + 512)
    }
}
