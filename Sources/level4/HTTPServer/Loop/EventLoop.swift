internal import Gzip
internal import Platform
internal import Synchronization
internal import TLS
internal import WorkThreads

/// A thread with a poller that also executes tasks: connections are served here one at a time, so that handlers are
/// plain async code.
///
/// Sendable unchecked: all mutable state is touched only by the loop's own thread, except `inbox` behind its mutex.
@safe final class EventLoop: TaskExecutor, @unchecked Sendable {
    /// How often time limits are checked, in milliseconds.
    private static let tickMilliseconds: Int32 = 250
    /// Jobs may enqueue jobs; after this many rounds the sockets get their turn.
    private static let roundsPerTurn = 16
    /// How long a shared listener keeps accepting during a drain: time for handshakes that began with it to finish.
    private static let handOverTime = Duration.seconds(1)

    let state: ServerState
    private(set) var clock = LoopClock()
    var poller: Poller
    /// How the loop waits.
    let polling: Poller.Kind
    /// The buffer for received bytes before they go to their connection's decoder.
    let scratch: UnsafeMutableBufferPointer<UInt8>

    /// The buffer for received bytes that are decrypted into `scratch`.
    let sealedScratch: UnsafeMutableBufferPointer<UInt8>

    /// Compresses small answers; nil if the system had no memory for it.
    private(set) lazy var compressor = GzipCompressor()

    private let wakeup: Wakeup
    private let threadID = Atomic<UInt>(0)
    private let inbox = Mutex<[UnownedJob]>([])
    private var ready: [UnownedJob] = []
    private var running: [UnownedJob] = []
    private var sockets = SocketTable()
    /// The tasks that serve the connections.
    var tasks = ConnectionTasks()
    private var acceptor: Acceptor?
    private var nextTick: UInt64 = 0
    private var seenPhase = ServerState.Phase.running
    /// The number of slow clients evicted when it last looked.
    private var seenGivenUp = 0
    /// When a drain stops accepting.
    private var acceptEnd: UInt64 = 0
    private let asked = Atomic<Int>(0)
    private let answered = Atomic<Int>(0)

    init(state: ServerState, polling: Poller.Kind) throws(ServerError) {
        guard let poller = Poller(polling) else { throw .last("epoll_create1") }
        guard let wakeup = Wakeup(polling) else { throw .last(polling == .epoll ? "eventfd" : "pipe") }
        self.state = state
        self.polling = poller.kind
        self.poller = consume poller
        self.wakeup = consume wakeup
        unsafe scratch = .allocate(capacity: 64 << 10)
        // Takes no memory until it is used.
        unsafe sealedScratch = .allocate(capacity: scratch.count - TLSSession.recordBytes)
        guard self.poller.add(self.wakeup.number, for: .reading) else { throw .last("epoll_ctl") }
    }

    deinit {
        unsafe scratch.deallocate()
        unsafe sealedScratch.deallocate()
    }

    /// Starts the thread, which keeps the loop alive until the server has stopped and the last connection is gone.
    /// - Parameter acceptor: accepts connections; only one loop has one.
    func start(_ acceptor: Acceptor?) {
        self.acceptor = acceptor
        if let acceptor { acceptor.isPaused = !poller.add(acceptor.number, for: .reading) }
        NamedThread.start("http loop") { self.run() }
    }

    /// Whether the caller runs on the loop's thread.
    var isCurrent: Bool { threadID.load(ordering: .relaxed) == CurrentThread.number }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if isCurrent {
            ready.append(job)
            return
        }
        let wasEmpty = inbox.withLock { jobs in
            defer { jobs.append(job) }
            return jobs.isEmpty
        }
        if wasEmpty { wakeup.signal() }
    }

    /// Asks the thread for a sign of life.
    func askForLife() {
        asked.add(1, ordering: .relaxed)
        wakeup.signal()
    }

    /// Whether it has responded to every `askForLife`.
    var isAlive: Bool { asked.load(ordering: .relaxed) == answered.load(ordering: .relaxed) }

    /// Makes the loop check the phase of the server.
    func wake() {
        wakeup.signal()
    }

    func admit(_ socket: LoopSocket) {
        sockets.insert(socket)
        // The socket was on its way here when the others were cut off.
        if state.phase == .stopping { socket.abort() }
    }

    func release(_ socket: LoopSocket) {
        sockets.remove(socket)
        poller.willClose(socket.number)
        state.didClose()
    }

    private func run() {
        threadID.store(CurrentThread.number, ordering: .relaxed)
        let iteration = LoopIteration()
        while true {
            let count = poller.wait(milliseconds: patience)
            clock.refresh()
            for index in 0..<count { notify(poller.ready(at: index), poller.leave(at: index)) }
            takeInbox()
            runJobs()
            iteration.end()
            answered.store(asked.load(ordering: .relaxed), ordering: .relaxed)
            if clock.now >= nextTick { tick() }
            if state.phase != .running, wind() { return }
        }
    }

    private var patience: Int32 {
        if !ready.isEmpty || tasks.dueCount > 0 { return 0 }
        let isQuiet =
            sockets.isEmpty && state.phase == .running && acceptor?.isPaused != true
            && !state.memory.isPending && !tasks.areMany
        return isQuiet ? -1 : Self.tickMilliseconds
    }

    private func notify(_ descriptor: Int32, _ leave: Poller.PeerClose) {
        if descriptor == wakeup.number {
            wakeup.clear()
        } else if let acceptor, descriptor == acceptor.number {
            // Out of descriptors or memory: the backlog would report itself endlessly, so it waits for the next tick.
            if acceptor.acceptReady() == .exhausted { poller.remove(descriptor) }
        } else {
            sockets[descriptor]?.becomeReady(leave)
        }
    }

    private func takeInbox() {
        inbox.withLock { jobs in
            guard !jobs.isEmpty else { return }
            ready.append(contentsOf: jobs)
            jobs.removeAll(keepingCapacity: true)
        }
    }

    private func runJobs() {
        let executor = unsafe asUnownedTaskExecutor()
        var rounds = 0
        var tasksToBegin = 1
        while rounds < Self.roundsPerTurn {
            // If the previous tasks had to wait, the next ones will too.
            beginTasks(most: tasksToBegin)
            tasksToBegin *= 2
            if ready.isEmpty { return }
            swap(&ready, &running)
            for job in running { unsafe job.runSynchronously(on: executor) }
            running.removeAll(keepingCapacity: true)
            rounds += 1
        }
    }

    private func tick() {
        nextTick = clock.now + UInt64(Self.tickMilliseconds) * 1_000_000
        sockets.forEach { $0.expire(now: clock.now) }
        lookAfterSlowClients()
        tasks.tick()
        state.memory.tick(now: clock.now, openCount: state.openCount)
        if let acceptor, acceptor.isPaused {
            acceptor.isPaused = !poller.add(acceptor.number, for: .reading)
        }
    }

    private func lookAfterSlowClients() {
        state.slow.makeRoom(in: state.budget)
        let givenUp = state.slow.givenUpCount
        guard givenUp != seenGivenUp else { return }
        seenGivenUp = givenUp
        sockets.forEach { $0.giveWay() }
    }

    /// Winds the loop down while the server drains or stops.
    /// - Returns: whether the loop has ended.
    private func wind() -> Bool {
        let phase = state.phase
        if phase != seenPhase {
            seenPhase = phase
            acceptEnd = clock.now + (acceptor?.isShared == true ? Self.handOverTime.nanoseconds : 0)
            sockets.forEach { phase == .stopping ? $0.abort() : $0.closeIfAtRest() }
        }
        if phase == .stopping || clock.now >= acceptEnd { stopAccepting() }
        state.settle(now: clock.now)
        guard phase == .stopping, state.isEmpty else { return false }
        tasks.end()
        return ready.isEmpty && inbox.withLock { $0.isEmpty }
    }

    private func stopAccepting() {
        guard let acceptor else { return }
        // Closing the listener would cut off the connections in its queue.
        if state.phase == .draining { acceptor.acceptLast() }
        poller.willClose(acceptor.number)
        self.acceptor = nil
        state.isAccepting.store(false, ordering: .releasing)
    }
}
