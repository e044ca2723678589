/// What the server allows a client, so that none can hold or fill it. Sizes are in bytes.
public struct ServerLimits: Sendable {
    /// The longest request line without its line end: 64 KiB, since filters travel in the query. Over it: 414.
    public var requestLineBytes = 64 << 10
    /// The largest header section, with its line ends, trailers and chunk extensions: 32 KiB, enough for large tokens.
    /// Over it: 431.
    public var headerSectionBytes = 32 << 10
    /// The most header and trailer fields of a request: 100. Over it: 431.
    public var fieldCount = 100
    /// The largest body, after the chunked coding is undone: 1 MiB. Over it: 413.
    public var bodyBytes = 1 << 20
    /// The longest a head may take: 10 s from its first byte, for the first of a connection from its accept. Over it: 408.
    public var headerTime: Duration = .seconds(10)
    /// The least that comes of a body in each minute, from the end of its head: 60 KiB, or its end. Below it: 408.
    public var bodyBytesPerWindow = 60 << 10
    /// The longest a connection may rest between two requests: 75 s. Over it, it is closed without a word.
    public var idleTime: Duration = .seconds(75)
    /// The longest a client may leave its answer unread, from the last byte it took: 30 s. Over it, it is cut off.
    public var sendStallTime: Duration = .seconds(30)
    /// The least that a client takes of its answer in each minute: 60 KiB. Below it, it is cut off.
    public var sendBytesPerWindow = 60 << 10
    /// The window over which `bodyBytesPerWindow` and `sendBytesPerWindow` are measured: 60 s. A client that was slow
    /// for that long makes room for others when memory is scarce.
    public var window: Duration = .seconds(60)
    /// The longest that requests in flight may take to finish once the server drains: 30 s.
    public var drainTime: Duration = .seconds(30)
    /// How long after its last answer a client may still ask once the server drains: 3 s. Then its connection is closed.
    public var drainRestTime: Duration = .seconds(3)
    /// The most connections at a time: 10,000. Over it: 503.
    public var connectionCount = 10_000
    /// The most connections of one address at a time, of IPv6 of one /64: 1,000. Over it: 503.
    public var addressConnectionCount = 1_000
    /// Addresses whose connections are not counted because they are proxies: none.
    public var isProxy: @Sendable (_ address: String) -> Bool = { _ in false }
    /// What goes wrong on purpose; nil but in tests of clients.
    public var faults: InjectedFaults?

    /// The defaults as documented at each limit. Times are checked every quarter of a second.
    public init() {}
}
