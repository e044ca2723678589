internal import Synchronization

/// Tells whoever made an answer what became of its bytes, once.
public final class AnswerDelivery: Sendable {
    /// What became of them.
    public enum End: Sendable, Equatable {
        /// The system has taken all.
        case sent
        /// The connection ended before: so many bytes of the body had gone.
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

    /// - Parameter tell: is told of the end, on any thread.
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

    /// To be called where another answer is sent in its place, of which others tell.
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
