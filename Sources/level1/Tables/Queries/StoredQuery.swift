public import Scalars

/// A query that is too long for a link, which refers to it. Anybody can make a server keep some, so that they are bounded,
/// and only for a while: no client keeps a link for longer than the list takes.
public struct StoredQuery: Sendable, Equatable {
    /// The name by which links refer to it: printable ASCII, as are the other texts.
    public let reference: String
    /// Whose allowance it uses.
    public let asker: String
    /// What is kept.
    public let text: String
    /// What time it is.
    public let now: Instant

    /// Puts one together.
    public init(reference: String, asker: String, text: String, now: Instant) {
        self.reference = reference
        self.asker = asker
        self.text = text
        self.now = now
    }

    /// How much it takes, including what a row takes besides its text.
    public var bytes: Int64 { Int64(text.utf8.count) + 256 }

    /// When it may be forgotten, unless another page is asked for.
    public var end: Instant { now.earlier(byMilliseconds: -Self.life) }
    /// One that is kept at least until then needs no new end.
    public var renewal: Instant { now.earlier(byMilliseconds: -Self.life / 2) }

    /// Kept for this many milliseconds after the last page: six hours.
    public static let life: Int64 = 6 * 3_600_000
    /// The most bytes for one asker.
    public static let askerBytes: Int64 = 1 << 20
    /// The most bytes for all of them.
    public static let allBytes: Int64 = 64 << 20
}
