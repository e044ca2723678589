public import HTTPModel
public import MetricSeries
public import Platform
internal import Synchronization
public import TLS

/// An HTTP/1.1 and 1.0 server on plain sockets. It starts once, drains or stops, and is done.
public final class HTTPServer: Sendable {
    private let handler: any HTTPHandler
    private let limits: CurrentLimits
    private let identity: CurrentIdentity
    private let state: ServerState
    private let loops = Mutex<[EventLoop]>([])
    private let polling: Poller.Kind

    /// - Parameters:
    ///   - handler: answers the requests. It runs on an event loop, and so do the async functions and the actors without
    ///     an executor of their own that it awaits: what blocks has to be handed to another thread.
    ///   - budget: what all requests and answers together may hold.
    ///   - identity: who the server is by TLS; nil for plain HTTP.
    ///   - metrics: what connections are counted with.
    ///   - polling: how its loops wait; other ways than the system's best are for tests.
    ///   - tellOfFailure: is told of a connection that TLS failed on, on its event loop.
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

    /// Goes on with other limits: for new connections, and in open ones from the next request on.
    public func change(to newer: ServerLimits) {
        limits.replace(with: newer)
        raiseDescriptorLimit()
    }

    /// Shows new connections another certificate; to a server that has one.
    public func change(to newer: TLSIdentity) {
        identity.replace(with: newer)
    }

    /// Connections accepted and not yet closed, those that are being refused included.
    public var openConnections: Int {
        state.openCount
    }

    /// Listens, and serves from then on.
    /// - Parameters:
    ///   - host: an IPv4 or IPv6 address or a name such as `localhost`.
    ///   - port: 0 for any free port.
    /// - Returns: the address in numbers and the port that it listens on.
    public func start(host: String, port: UInt16) throws(ServerError) -> (host: String, port: UInt16) {
        try start(at: .address(host: host, port: port, isShared: false))
    }

    /// Listens, and serves from then on.
    /// - Returns: the address in numbers and the port that it listens on.
    public func start(at place: ListeningPlace) throws(ServerError) -> (host: String, port: UInt16) {
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

    /// Stops accepting, once those are in that wait for it, closes the connections at rest, and lets requests in flight
    /// finish with `Connection: close`. Who was answered in the last three seconds may ask once more.
    ///
    /// Returns when the last connection is gone or the drain time is over; the server has stopped then.
    public func drain() async {
        state.advance(to: .draining)
        let loops = loops.withLock { $0 }
        guard !loops.isEmpty else { return }
        for loop in loops { loop.wake() }
        await state.waitUntilEmpty(deadline: LoopClock.monotonic() + limits.value.values.drainTime.nanoseconds)
        stop()
    }

    /// Stops at once: connections are cut off in the middle of what they do. The threads end with the last handler.
    public func stop() {
        state.advance(to: .stopping)
        for loop in loops.withLock({ $0 }) { loop.wake() }
    }

    /// Asks every event loop for a sign of life.
    public func askForLife() {
        for loop in loops.withLock({ $0 }) { loop.askForLife() }
    }

    /// Whether all have given it that were asked.
    public var isAlive: Bool {
        loops.withLock { $0.allSatisfy(\.isAlive) }
    }

    /// How its loops wait.
    var pollings: [Poller.Kind] { loops.withLock { $0.map(\.polling) } }

    /// More than four loops only wait for one another's work: the kernel does most of it.
    private static var loopCount: Int {
        min(max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1), 4)
    }

    /// Lets the process have as many descriptors as the connection limit needs, where the system grants them.
    private func raiseDescriptorLimit() {
        // Besides the connections: refusals, the store's files and connections, standard streams.
        DescriptorLimit.raise(to: limits.value.values.connectionCount + 512)
    }
}
