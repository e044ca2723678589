/// A connection after its requests are handled: whether the client has got an answer, as far as the system can tell.
public protocol AnsweredConnection: AnyObject, Sendable {
    /// Whether there is reason to think that an answer never arrived: the connection broke, or the client left before it
    /// had taken it, or the system sends it again and again in vain. The last hop counts: a proxy takes answers for others.
    /// - Parameter number: of the connection's requests, counted from 1.
    func hasLost(_ number: UInt64) -> Bool

    /// Ends the connection, so that what was sent and not taken never arrives.
    func cut()
}

/// By what the answer to a request can be asked about later.
public struct AnswerTicket: Sendable {
    private let connection: any AnsweredConnection
    private let number: UInt64

    /// Of a connection's request, counted from 1.
    public init(_ connection: any AnsweredConnection, _ number: UInt64) {
        self.connection = connection
        self.number = number
    }

    /// Whether there is reason to think that the answer never arrived.
    public var isLost: Bool { connection.hasLost(number) }

    /// Sees to it that an answer that hasn't arrived never does.
    public func cut() {
        connection.cut()
    }

    /// Whether both are of one request.
    public func isSame(as other: AnswerTicket) -> Bool {
        connection === other.connection && number == other.number
    }
}
