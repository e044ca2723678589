/// A connection that has answered requests: it knows whether the client has received an answer, as far as the system
/// can tell.
public protocol RespondingConnection: AnyObject, Sendable {
    /// Makes sure that an answer never arrives, if it certainly has not: the client disconnected before it was sent, or
    /// the system retransmits it in vain. Only the last hop counts: a proxy accepts answers on behalf of others.
    /// - Parameter number: the number of the connection's request, counted from 1.
    /// - Returns: false if the answer may have arrived, or may yet arrive.
    func giveUp(_ number: UInt64) -> Bool
}

/// Identifies the answer to a request, for asking about it later.
public struct ResponseTicket: Sendable {
    private let connection: any RespondingConnection
    private let number: UInt64

    /// Creates a ticket for a connection's request, counted from 1.
    public init(_ connection: any RespondingConnection, _ number: UInt64) {
        self.connection = connection
        self.number = number
    }

    /// Makes sure that the answer never arrives, if it is certain that it has not.
    /// - Returns: false if it may have arrived, or may yet arrive.
    public func giveUp() -> Bool { connection.giveUp(number) }

    /// Returns whether both belong to the same request.
    public func isSame(as other: ResponseTicket) -> Bool {
        connection === other.connection && number == other.number
    }
}
