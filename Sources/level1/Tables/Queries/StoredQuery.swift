public import Scalars

/// A query that is too long for a link, which refers to it instead. Since anyone can make a server store some, they are
/// bounded and short-lived: no client keeps a link for longer than the list takes.
public struct StoredQuery: Sendable, Equatable {
    /// The name by which links refer to it: printable ASCII, like the other texts.
    public let reference: String
    /// The asker whose allowance it uses.
    public let asker: String
    /// The query's text.
    public let text: String
    /// The current time.
    public let now: Instant

    /// Creates a stored query.
    public init(reference: String, asker: String, text: String, now: Instant) {
        self.reference = reference
        self.asker = asker
        self.text = text
        self.now = now
    }

    /// Its size in bytes, including the overhead of a row.
    public var bytes: Int64 { Int64(text.utf8.count) + 256 }

    /// When it may be forgotten, unless another page is requested.
    public var end: Instant { now.earlier(byMilliseconds: -Self.life) }
    /// A query that is kept at least until this time needs no new end.
    public var renewal: Instant { now.earlier(byMilliseconds: -Self.life / 2) }

    /// How long it is kept after the last page, in milliseconds: six hours.
    public static let life: Int64 = 6 * 3_600_000
    /// The maximum number of bytes for one asker.
    public static let askerBytes: Int64 = 1 << 20
    /// The maximum number of bytes for all askers.
    public static let allBytes: Int64 = 64 << 20
}
