import Dispatch
import Synchronization

/// Passes log events to a program, one after another, on a thread that nothing in the server waits for.
package final class LogListener: Sendable {
    /// The maximum number of events waiting for the program, and of bytes of their texts, except for a single event.
    /// Events beyond that are dropped and counted, along with all that follow until none is waiting.
    static let most = 10_000
    static let mostBytes = 16 << 20

    private struct State {
        var events = 0
        var bytes = 0
        var dropped = 0
        var isOver = false
    }

    private let hear: @Sendable (LogEvent) -> Void
    private let queue = DispatchQueue(label: "zumod log listener", qos: .utility)
    private let state = Mutex(State())

    /// - Parameter hear: receives the events, and may take its time.
    package init(_ hear: @escaping @Sendable (LogEvent) -> Void) {
        self.hear = hear
    }

    func take(_ event: LogEvent) {
        let bytes = event.members.reduce(event.message.utf8.count) { $0 + $1.key.utf8.count + $1.value.utf8.count }
        let waits = state.withLock { state in
            guard !state.isOver else { return false }
            let hasRoom = state.events < Self.most && state.bytes + bytes <= Self.mostBytes
            guard state.dropped == 0, hasRoom || state.events == 0 else {
                state.dropped += 1
                return false
            }
            state.events += 1
            state.bytes += bytes
            return true
        }
        if waits { queue.async { [self] in tell(event, bytes) } }
    }

    private func tell(_ event: LogEvent, _ bytes: Int) {
        guard state.withLock({ !$0.isOver }) else { return }
        hear(event)
        let dropped = state.withLock { state in
            state.events -= 1
            state.bytes -= bytes
            guard state.events == 0, !state.isOver else { return 0 }
            defer { state.dropped = 0 }
            return state.dropped
        }
        if dropped > 0 {
            hear(LogEvent(.warning, "log lines were dropped, since nobody took them", ["count": "\(dropped)"]))
        }
    }

    /// Returns when the program has received all events, or the time is over; after that it receives no more.
    package func close(within seconds: Double) {
        let end = DispatchSemaphore(value: 0)
        queue.async { end.signal() }
        _ = end.wait(timeout: .now() + seconds)
        state.withLock { $0.isOver = true }
    }
}
