internal import Synchronization

/// Tells the producer of an answer, once, how its delivery ended.
public final class ResponseDelivery: Sendable {
    /// How the delivery ended.
    public enum End: Sendable, Equatable {
        /// The system has accepted all bytes.
        case sent
        /// The connection ended early, after this many bytes of the body were sent.
        case cut(bytes: Int, because: Reason)
    }

    /// Why an answer was not sent completely.
    public enum Reason: String, Sendable {
        case gone = "the client went"
        case tooSlow = "the client took it too slowly"
        case displaced = "the client took it slowly, and others needed the memory"
        case stopped = "the server stopped"
    }

    private let tell: Mutex<(@Sendable (End) -> Void)?>

    /// - Parameter tell: called once, on any thread.
    public init(_ tell: @escaping @Sendable (End) -> Void) {
        self.tell = Mutex(tell)
    }

    deinit {
        // An answer that is dropped was not sent.
        end(.cut(bytes: 0, because: .gone))
    }

    /// Reports the end; only the first call has an effect.
    public func end(_ end: End) {
        take()?(end)
    }

    /// Stops reporting, because another answer with its own delivery is sent instead.
    public func drop() {
        _ = take()
    }

    private func take() -> (@Sendable (End) -> Void)? {
        tell.withLock { tell in
            defer { tell = nil }
            return tell
        }
    }
}
