public import ByteText
import Synchronization

/// Why a ticket was refused or stopped.
public enum QueueRefusal: Int, Sendable, Equatable {
    /// The queue is full.
    case full = 1
    /// It waited as long as it may.
    case waited
    /// Its deadline has passed.
    case late
    /// Its asker had more than one ticket in progress for a while, and others none.
    case crowding
    /// The client has disconnected.
    case disconnected
    case closed
}

/// The ticket of one piece of work for a thread, from its arrival to its end.
public final class QueueTicket: Sendable {
    /// The asker, for sharing turns; nil for quick work, which goes first.
    public let asker: ExactText?
    /// When it has to be finished, including the wait; nil if the queue doesn't enforce that.
    public let deadline: ContinuousClock.Instant?
    let arrival: ContinuousClock.Instant
    /// How long it may wait for a thread.
    let patience: Duration
    private let disconnect: ClientDisconnect?
    private let reason = Atomic(0)
    private let retry = Atomic(1)
    private let onStop = Mutex<(@Sendable () -> Void)?>(nil)

    /// Creates a ticket for quick work, which isn't stopped once it has started.
    public init(patience: Duration, at arrival: ContinuousClock.Instant = .now) {
        asker = nil
        deadline = nil
        disconnect = nil
        self.arrival = arrival
        self.patience = patience
    }

    /// Creates a ticket for work that may take long.
    /// - Parameters:
    ///   - asker: the user or address that the work is for.
    ///   - limit: the total time for waiting and working. Up to four fifths of it may be spent waiting.
    ///   - disconnect: tells whether the client has disconnected.
    public init(
        of asker: String, limit: Duration, disconnect: ClientDisconnect?, at arrival: ContinuousClock.Instant = .now
    ) {
        self.asker = ExactText(asker)
        self.arrival = arrival
        deadline = arrival + limit
        patience = limit * 4 / 5
        self.disconnect = disconnect
    }

    /// Why the work has to stop; nil if it may continue. Check it often while working.
    public var stopReason: QueueRefusal? {
        if let reason = QueueRefusal(rawValue: reason.load(ordering: .relaxed)) { return reason }
        return isAbandoned ? .disconnected : nil
    }

    /// The number of seconds after which refused work should be retried.
    public internal(set) var retrySeconds: Int {
        get { retry.load(ordering: .relaxed) }
        set { retry.store(newValue, ordering: .relaxed) }
    }

    /// Sets a function to call, which must not block, once the work has to stop; nil to call none.
    public func whenStopped(_ body: (@Sendable () -> Void)?) {
        let isStopped = onStop.withLock { onStop in
            onStop = body
            return reason.load(ordering: .relaxed) != 0
        }
        if isStopped, let body { body() }
    }

    /// The time since its arrival.
    public var age: Duration { arrival.duration(to: .now) }

    func stop(_ refusal: QueueRefusal) {
        // Called with the lock held: after it was set to nil, no function is called.
        onStop.withLock { onStop in
            reason.store(refusal.rawValue, ordering: .relaxed)
            onStop?()
        }
    }

    var isAbandoned: Bool { disconnect?.hasCome == true }
}
