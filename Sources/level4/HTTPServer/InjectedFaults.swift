public import HTTPModel

/// What tests of clients have the server do to connections, beyond the answers that a handler can make.
public struct InjectedFaults: Sendable {
    /// Asked at each new connection: true resets it before a byte is read.
    public var resetsConnection: @Sendable () -> Bool
    /// Asked once the head of a request is there, its body perhaps not: true closes the connection without reading on.
    public var closesBeforeReading: @Sendable (_ head: HTTPRequest) -> Bool

    /// Faults by what is asked.
    public init(
        resetsConnection: @escaping @Sendable () -> Bool,
        closesBeforeReading: @escaping @Sendable (_ head: HTTPRequest) -> Bool
    ) {
        self.resetsConnection = resetsConnection
        self.closesBeforeReading = closesBeforeReading
    }
}
