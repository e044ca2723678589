/// A connection after its requests were handled: whether the client has received an answer, as far as the system can
/// tell.
public protocol RespondingConnection: AnyObject, Sendable {
    /// Makes sure that an answer never arrives, if it is certain that it has not: the client left before it was sent,
    /// or the system retransmits it in vain. The last hop counts: a proxy accepts answers on behalf of others.
    /// - Parameter number: of the connection's requests, counted from 1.
    /// - Returns: false if the answer may have arrived, or may still do so.
    func giveUp(_ number: UInt64) -> Bool
}

/// By what the answer to a request can be asked about later.
public struct ResponseTicket: Sendable {
    private let connection: any RespondingConnection
    private let number: UInt64

    /// Of a connection's request, counted from 1.
    public init(_ connection: any RespondingConnection, _ number: UInt64) {
        self.connection = connection
        self.number = number
    }

    /// Makes sure that the answer never arrives, if it is certain that it has not.
    /// - Returns: false if it may have arrived, or may still do so.
    public func giveUp() -> Bool { connection.giveUp(number) }

    /// Whether both are of one request.
    public func isSame(as other: ResponseTicket) -> Bool {
        connection === other.connection && number == other.number
    }
}
