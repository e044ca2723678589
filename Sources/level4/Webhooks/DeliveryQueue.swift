import Dispatch
import Synchronization

/// The notices of a table that are waiting to be sent, in order. Callers never wait to add one; one thread takes them.
final class DeliveryQueue: Sendable {
    private struct State {
        var waiting: [Delivery] = []
        var bytes = 0
        var isOverflowing = false
        var closesAt: ContinuousClock.Instant?

        /// The invariant between any two calls.
        var isSound: Bool { bytes >= 0 && (bytes == 0 || !waiting.isEmpty) }
    }

    private let state = Mutex(State())
    private let wake = DispatchSemaphore(value: 0)
    private let closing = DispatchSemaphore(value: 0)
    private let rules: DeliveryRules

    init(_ rules: DeliveryRules) {
        self.rules = rules
    }

    enum Reception {
        case taken
        /// The notice is lost, as the first one since the queue became full.
        case overflow
        /// The notice is lost, like others before it.
        case lost
    }

    func push(_ delivery: Delivery) -> Reception {
        let reception = state.withLock { state -> Reception in
            guard state.closesAt == nil, state.waiting.count < rules.noticeCount,
                state.bytes + delivery.body.count <= rules.noticeBytes
            else {
                defer { state.isOverflowing = true }
                return state.isOverflowing ? .lost : .overflow
            }
            state.isOverflowing = false
            state.waiting.append(delivery)
            state.bytes += delivery.body.count
            assert(state.isSound, "the bytes of those that wait are counted, and no others")
            return .taken
        }
        if reception == .taken { wake.signal() }
        return reception
    }

    /// Waits for the next notice.
    /// - Returns: nil if the queue is closed and either empty or out of time.
    func next() -> Delivery? {
        while true {
            let (delivery, isOver) = state.withLock { state -> (Delivery?, Bool) in
                if let end = state.closesAt, state.waiting.isEmpty || end <= .now { return (nil, true) }
                guard !state.waiting.isEmpty else { return (nil, false) }
                let first = state.waiting.removeFirst()
                state.bytes -= first.body.count
                assert(state.isSound, "the bytes of those that wait are counted, and no others")
                return (first, false)
            }
            if isOver { return nil }
            if let delivery { return delivery }
            wake.wait()
        }
    }

    /// Waits for a time, or until the queue is closed.
    /// - Returns: whether the queue is still open.
    func pause(for duration: Duration) -> Bool {
        let (seconds, attoseconds) = duration.components
        let nanoseconds = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
        let isClosed = state.withLock { $0.closesAt != nil }
        return !isClosed && closing.wait(timeout: .now() + .nanoseconds(nanoseconds)) == .timedOut
    }

    /// Accepts no more notices; the waiting ones may still be sent for that long.
    func close(within time: Duration) {
        state.withLock { $0.closesAt = .now + time }
        closing.signal()
        wake.signal()
    }

    /// The number of waiting notices.
    var count: Int { state.withLock { $0.waiting.count } }
}
