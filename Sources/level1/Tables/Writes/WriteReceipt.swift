public import Scalars

/// By what a store knows a write again, should its client not have got the answer and send it once more.
public struct WriteReceipt: Sendable, Equatable {
    /// What only the very same request has: a hash of who sends it and of all that it says.
    public let key: [UInt8]
    /// Whether the client has marked the request as one to be done once, whatever became of its row since. Without the
    /// mark a write is done as often as it is sent, unless it would be refused.
    public let isOnce: Bool
    /// For how long the write is known again.
    public let window: Duration
    /// Whether the clock may be believed. Where it may not, no window ends: what was kept counts, and stays.
    public let isTimed: Bool

    /// Makes a receipt.
    public init(key: [UInt8], isOnce: Bool, window: Duration, isTimed: Bool = true) {
        self.key = key
        self.isOnce = isOnce
        self.window = window
        self.isTimed = isTimed
    }

    /// When the window began that ends now.
    public func start(of now: Instant) -> Instant {
        isTimed ? now.earlier(byMilliseconds: window.components.seconds * 1_000) : .first
    }
}
