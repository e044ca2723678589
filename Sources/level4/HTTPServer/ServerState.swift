internal import HTTPModel
internal import MetricSeries
internal import Synchronization
internal import TLS

/// The state shared by all loops of a server.
final class ServerState: Sendable {
    /// The phases, which never go back.
    enum Phase: Int {
        case running, draining, stopping
    }

    private let phaseValue = Atomic<Int>(Phase.running.rawValue)
    private let openCountValue = Atomic<Int>(0)
    private let openConnections: Gauge
    private let refusedConnections: Counter
    private let unsecuredConnections: Counter
    private let tellOfFailure: @Sendable (_ peer: String, _ fault: TLSFault) -> Void
    /// The budget for the bodies and answers of all connections.
    let budget: ByteBudget
    /// The clients that hold parts of the budget for long.
    let slow = SlowClients()
    let memory: MemoryTrimmer
    let coding = CodingThread()
    /// The number of open connections of each address.
    let addresses = AddressCounts()
    /// Whether new connections may still come.
    let isAccepting = Atomic<Bool>(true)
    private let drain = Mutex(Drain())

    private struct Drain {
        var deadline = UInt64.max
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    init(
        _ budget: ByteBudget, areSecured: Bool, _ metrics: MetricRegistry,
        tellOfFailure: @escaping @Sendable (_ peer: String, _ fault: TLSFault) -> Void
    ) {
        self.budget = budget
        self.tellOfFailure = tellOfFailure
        memory = MemoryTrimmer(budget, areSecured: areSecured)
        openConnections = metrics.gauge("zumod_connections_open")
        refusedConnections = metrics.counter("zumod_connections_refused_total")
        unsecuredConnections = metrics.counter("zumod_tls_failures_total")
    }

    /// The number of connections accepted and not yet closed.
    var openCount: Int {
        openCountValue.load(ordering: .acquiring)
    }

    /// Counts an accepted connection.
    /// - Returns: the number of open connections, including it.
    func didOpen() -> Int {
        openConnections.add(1)
        let count = openCountValue.add(1, ordering: .acquiringAndReleasing).newValue
        memory.didOpen(count)
        return count
    }

    /// Counts a connection as closed.
    func didClose() {
        openConnections.add(-1)
        openCountValue.subtract(1, ordering: .acquiringAndReleasing)
    }

    /// Counts a connection beyond the limit, whether or not it gets a refusal.
    func didRefuse() {
        refusedConnections.increment()
    }

    /// Counts a connection on which TLS failed, and reports it.
    func didFail(toSecure peer: String, _ fault: TLSFault) {
        unsecuredConnections.increment()
        tellOfFailure(peer, fault)
    }

    var phase: Phase {
        Phase(rawValue: phaseValue.load(ordering: .acquiring)) ?? .stopping
    }

    func advance(to phase: Phase) {
        phaseValue.max(phase.rawValue, ordering: .acquiringAndReleasing)
    }

    var isEmpty: Bool {
        // In this order: once nothing is accepted any more, the count can only fall.
        !isAccepting.load(ordering: .acquiring) && openCount == 0
    }

    /// Suspends until every connection is closed or the deadline passes, whichever comes first.
    func waitUntilEmpty(deadline: UInt64) async {
        await withCheckedContinuation { continuation in
            drain.withLock {
                $0.deadline = min($0.deadline, deadline)
                $0.waiters.append(continuation)
            }
            // The loops may have ended already, so that none is left to do this.
            settle(now: LoopClock.monotonic())
        }
    }

    /// Resumes the waiting callers, if there is nothing left to wait for.
    func settle(now: UInt64) {
        let isEmpty = isEmpty
        let waiters = drain.withLock { drain -> [CheckedContinuation<Void, Never>] in
            guard isEmpty || now >= drain.deadline else { return [] }
            defer { drain.waiters = [] }
            return drain.waiters
        }
        for waiter in waiters { waiter.resume() }
    }
}
