/// What the server allows a client, so that no client can block or fill it. Sizes are in bytes.
public struct ServerLimits: Sendable {
    /// The longest request line without its line ending: 64 KiB, since filters are part of the query. Above it: 414.
    public var requestLineBytes = 64 << 10
    /// The largest header section with its line endings, trailers and chunk extensions: 32 KiB, enough for large
    /// tokens. Above it: 431.
    public var headerSectionBytes = 32 << 10
    /// The maximum number of header and trailer fields of a request: 100. Above it: 431.
    public var fieldCount = 100
    /// The largest body, after decoding chunks: 1 MiB. Above it: 413.
    public var bodyBytes = 1 << 20
    /// The longest a head may take: 10 s from its first byte, or from the accept for the first head. Above it: 408.
    public var headerTime: Duration = .seconds(10)
    /// The least of a body that must arrive in each window after its head: 60 KiB, or its end. Below it: 408.
    public var bodyBytesPerWindow = 60 << 10
    /// The longest a connection may be idle between two requests: 75 s. Then it is closed without notice.
    public var idleTime: Duration = .seconds(75)
    /// The longest a client may leave its answer unread, from the last byte it took: 30 s. Then it is cut off.
    public var sendStallTime: Duration = .seconds(30)
    /// The least that a client must take of its answer in each window: 60 KiB. Below it, the client is cut off.
    public var sendBytesPerWindow = 60 << 10
    /// The window for `bodyBytesPerWindow` and `sendBytesPerWindow`: 60 s. A client that was slow for that long makes
    /// room for others when memory is scarce.
    public var window: Duration = .seconds(60)
    /// The longest that requests in flight may take to finish once the server drains: 30 s.
    public var drainTime: Duration = .seconds(30)
    /// How long after its last answer a client may send a request during a drain: 3 s. Then its connection is closed.
    public var drainRestTime: Duration = .seconds(3)
    /// The maximum number of connections: 10,000. Above it: 503.
    public var connectionCount = 10_000
    /// The maximum number of connections of one address, or of one /64 for IPv6: 1,000. Above it: 503.
    public var addressConnectionCount = 1_000
    /// Whether an address is a proxy, whose connections are not counted per address: by default none is.
    public var isProxy: @Sendable (_ address: String) -> Bool = { _ in false }
    /// Faults to inject; nil except in tests of clients.
    public var faults: InjectedFaults?

    /// Creates the default limits, as documented at each. Times are checked every quarter of a second.
    public init() {}
}
