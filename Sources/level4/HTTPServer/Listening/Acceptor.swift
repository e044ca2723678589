internal import HTTPModel
internal import Platform
internal import TLS

/// Accepts connections on one loop and distributes them over all loops.
final class Acceptor {
    /// The backlog may be long; open connections get their turn in between.
    private static let connectionsPerTurn = 64
    /// Beyond the limit, this many at a time get a refusal; the rest are closed without an answer.
    private static let refusalsAtOnce = 128
    /// The same, per address.
    private static let refusalsOfAddressAtOnce = 16

    /// Whether accepting waits for the next tick because the system ran out of a resource.
    var isPaused = false
    /// Whether another process may listen on the same address and take over its connections.
    let isShared: Bool
    private let listener: Descriptor
    private let port: UInt16
    private let loops: [EventLoop]
    private let handler: any HTTPHandler
    private let limits: CurrentLimits
    private let identity: CurrentIdentity
    private let state: ServerState
    private let polling: Poller.Kind
    private var turn = 0

    init(
        listener: consuming Descriptor, isShared: Bool, loops: [EventLoop], handler: any HTTPHandler,
        limits: CurrentLimits, identity: CurrentIdentity, state: ServerState, polling: Poller.Kind
    ) {
        var bound = SocketAddress()
        port = unsafe bound.fill { unsafe getsockname(listener.number, $0, $1) } == 0 ? bound.port : 0
        self.listener = listener
        self.isShared = isShared
        self.loops = loops
        self.handler = handler
        self.limits = limits
        self.identity = identity
        self.state = state
        self.polling = polling
    }

    var number: Int32 { listener.number }

    /// The result of accepting connections.
    enum Outcome {
        case allAccepted, moreWait
        /// The system is out of descriptors or memory; `isPaused` is set.
        case exhausted
    }

    /// Accepts all waiting connections, before it closes.
    func acceptLast() {
        while acceptReady() == .moreWait {}
    }

    /// Accepts some of the waiting connections.
    func acceptReady() -> Outcome {
        for _ in 0..<Self.connectionsPerTurn {
            var address = SocketAddress()
            let number = unsafe address.fill { unsafe Sockets.accept(listener.number, polling, $0, $1) }
            if number >= 0 {
                hand(number, peer: address)
                continue
            }
            switch errno {
            case EMFILE, ENFILE, ENOBUFS, ENOMEM:
                isPaused = true
                return .exhausted
            // Another process that has the socket has shut it down; it would report itself as ready endlessly.
            case EINVAL:
                isPaused = true
                return .exhausted
            case EAGAIN: return .allAccepted
            default: continue  // The client gave up while it waited.
            }
        }
        return .moreWait
    }

    private func hand(_ number: Int32, peer: SocketAddress) {
        let current = limits
        let limits = current.value.values
        if let faults = limits.faults, faults.resetsConnection() {
            Sockets.reset(number)
            return
        }
        let open = state.didOpen()
        let address = peer.host
        let block = limits.isProxy(address) ? nil : peer.block
        let openOfAddress = block.map(state.addresses.enter) ?? 0
        let refusal = Self.refusal(open, openOfAddress, limits)
        if refusal != nil { state.didRefuse() }
        guard open <= limits.connectionCount + Self.refusalsAtOnce,
            openOfAddress <= limits.addressConnectionCount + Self.refusalsOfAddressAtOnce
        else {
            if let block { state.addresses.leave(block) }
            state.didClose()
            close(number)
            return
        }
        let ports = ConnectionPorts(peer: peer.port, own: port)
        let loop = loops[turn]
        turn = (turn + 1) % loops.count
        let (handler, state, identity) = (handler, state, identity)
        Task.detached(executorPreference: loop) {
            do throws(TLSFault) {
                let session = try identity.begin()
                await loop.begin(refusing: refusal) {
                    Connection(
                        LoopSocket(number, loop: loop, session: session), peer: address, ports: ports,
                        block: block, handler: handler, limits: current)
                }
            } catch {
                // Out of memory: no answer is possible without a session.
                close(number)
                state.didClose()
                if let block { state.addresses.leave(block) }
            }
            await loop.work()
        }
    }

    private static func refusal(_ open: Int, _ openOfAddress: Int, _ limits: ServerLimits) -> HTTPFault? {
        if open > limits.connectionCount { return .tooManyConnections(limit: limits.connectionCount) }
        if openOfAddress > limits.addressConnectionCount {
            return .tooManyConnectionsOfAddress(limit: limits.addressConnectionCount)
        }
        return nil
    }
}
