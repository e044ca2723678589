internal import Synchronization

/// Tells the producer of an answer what became of its bytes, once.
public final class ResponseDelivery: Sendable {
    /// What became of them.
    public enum End: Sendable, Equatable {
        /// The system has taken all.
        case sent
        /// The connection ended earlier: this many bytes of the body had been sent.
        case cut(bytes: Int, because: Reason)
    }

    /// Why an answer was not sent to its end.
    public enum Reason: String, Sendable {
        case gone = "the client went"
        case tooSlow = "the client took it too slowly"
        case displaced = "the client took it slowly, and others needed the memory"
        case stopped = "the server stopped"
    }

    private let tell: Mutex<(@Sendable (End) -> Void)?>

    /// - Parameter tell: called at the end, on any thread.
    public init(_ tell: @escaping @Sendable (End) -> Void) {
        self.tell = Mutex(tell)
    }

    deinit {
        // Whoever lets go of an answer has not sent it.
        end(.cut(bytes: 0, because: .gone))
    }

    /// To be called with the first that is known of the end; whatever follows is nothing new.
    public func end(_ end: End) {
        take()?(end)
    }

    /// To be called if another answer is sent instead, which has its own way to tell.
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
