public import ByteText
import Synchronization

/// Why a turn came to nothing.
public enum QueueRefusal: Int, Sendable, Equatable {
    /// As many wait as may.
    case full = 1
    /// It waited for as long as it may.
    case waited
    /// Its time is over.
    case late
    /// Its asker had more than one in progress for a while, and others none.
    case crowding
    /// The client is gone.
    case departed
    case closed
}

/// One piece of work's turn on a thread: from its arrival to its end.
public final class QueueTicket: Sendable {
    /// Whose turn it is, for sharing turns; nil for quick work, which goes first.
    public let asker: ExactText?
    /// When it has to be finished, including the wait; nil if the queue doesn't enforce that.
    public let deadline: ContinuousClock.Instant?
    let arrival: ContinuousClock.Instant
    /// How long it may wait for a thread.
    let patience: Duration
    private let departure: ClientDisconnect?
    private let reason = Atomic(0)
    private let retry = Atomic(1)
    private let onStop = Mutex<(@Sendable () -> Void)?>(nil)

    /// A turn of work that is quick, which nobody stops once it is begun.
    public init(patience: Duration, at arrival: ContinuousClock.Instant = .now) {
        asker = nil
        deadline = nil
        departure = nil
        self.arrival = arrival
        self.patience = patience
    }

    /// A turn of work that may take long.
    /// - Parameters:
    ///   - asker: whose it is.
    ///   - limit: the total time for waiting and working. Up to four fifths of it may be spent waiting.
    ///   - departure: tells whether the client is gone.
    public init(
        of asker: String, limit: Duration, departure: ClientDisconnect?, at arrival: ContinuousClock.Instant = .now
    ) {
        self.asker = ExactText(asker)
        self.arrival = arrival
        deadline = arrival + limit
        patience = limit * 4 / 5
        self.departure = departure
    }

    /// Why the work has to stop; nil if it may continue. Ask often while working.
    public var stopReason: QueueRefusal? {
        if let reason = QueueRefusal(rawValue: reason.load(ordering: .relaxed)) { return reason }
        return isAbandoned ? .departed : nil
    }

    /// After how many seconds refused work should come back.
    public internal(set) var retrySeconds: Int {
        get { retry.load(ordering: .relaxed) }
        set { retry.store(newValue, ordering: .relaxed) }
    }

    /// Has a body called, which must not block, once the work has to stop; nil to call nothing any more.
    public func whenStopped(_ body: (@Sendable () -> Void)?) {
        let isStopped = onStop.withLock { onStop in
            onStop = body
            return reason.load(ordering: .relaxed) != 0
        }
        if isStopped, let body { body() }
    }

    /// How long it has been here.
    public var age: Duration { arrival.duration(to: .now) }

    func stop(_ refusal: QueueRefusal) {
        // Called with the lock held: once nothing is to be called any more, nothing is.
        onStop.withLock { onStop in
            reason.store(refusal.rawValue, ordering: .relaxed)
            onStop?()
        }
    }

    var isAbandoned: Bool { departure?.hasCome == true }
}
