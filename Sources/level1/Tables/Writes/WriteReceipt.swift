public import Scalars

/// Identifies a write to a store if its client sends it again because the answer got lost.
public struct WriteReceipt: Sendable, Equatable {
    /// A hash of the sender and of the whole request, unique to it.
    public let key: [UInt8]
    /// Whether the client has marked the request to be done once, whatever becomes of its row. Without the mark, a
    /// write is repeated each time it is sent, unless it would be refused.
    public let isOnce: Bool
    /// How long the write is recognized.
    public let window: Duration
    /// Whether the clock can be trusted. If not, windows never end: every stored record counts, and stays.
    public let isTimed: Bool

    /// Creates a receipt.
    public init(key: [UInt8], isOnce: Bool, window: Duration, isTimed: Bool = true) {
        self.key = key
        self.isOnce = isOnce
        self.window = window
        self.isTimed = isTimed
    }

    /// Returns the beginning of the window that ends now.
    public func start(of now: Instant) -> Instant {
        isTimed ? now.earlier(byMilliseconds: window.components.seconds * 1_000) : .first
    }
}
