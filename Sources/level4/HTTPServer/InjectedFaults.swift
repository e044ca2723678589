public import HTTPModel

/// Faults of connections for tests of clients, beyond the answers that a handler can give.
public struct InjectedFaults: Sendable {
    /// Called for each new connection; true resets it before a byte is read.
    public var resetsConnection: @Sendable () -> Bool
    /// Called when the head of a request has arrived, perhaps without its body; true closes the connection unread.
    public var closesBeforeReading: @Sendable (_ head: HTTPRequest) -> Bool

    /// Creates faults from both functions.
    public init(
        resetsConnection: @escaping @Sendable () -> Bool,
        closesBeforeReading: @escaping @Sendable (_ head: HTTPRequest) -> Bool
    ) {
        self.resetsConnection = resetsConnection
        self.closesBeforeReading = closesBeforeReading
    }
}
