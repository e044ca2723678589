/// A complete request: its head and its whole body.
public struct HTTPRequest: Sendable {
    /// The method.
    public var method: HTTPMethod
    /// The request target as received (RFC 9112 section 3.2), not yet decoded.
    public var target: [UInt8]
    /// The header fields; trailers are dropped.
    public var fields: HTTPFields
    /// The body, with its transfer coding removed.
    public var body: [UInt8]
    /// The address of the peer, without its port; empty if unknown.
    public var peer: String
    /// The ports of its connection's two ends; nil if it didn't arrive over a connection of this server.
    public var ports: ConnectionPorts?
    /// Whether it is HTTP/1.1; an HTTP/1.0 request counts as a proxy's.
    public var isModern = true
    /// Whether it arrived encrypted at this server itself.
    public var isSecured = false
    /// The prefix of its client's paths before the target, without a trailing slash: the address of a part of the
    /// server that acts as a whole one. Links and locations start with it.
    public var basePath = ""
    /// For asking about its answer later; nil if it didn't arrive over a connection of this server.
    public var answer: ResponseTicket?
    /// The way by which a program's own application passes it on within the server; nil for a client's own.
    public var passage: (any RequestPassage)?

    /// Creates a request as a server receives it, also for tests.
    public init(
        method: HTTPMethod, target: [UInt8], fields: HTTPFields = HTTPFields(), body: [UInt8] = [], peer: String = ""
    ) {
        self.method = method
        self.target = target
        self.fields = fields
        self.body = body
        self.peer = peer
    }
}

/// How a program's own application passes a request on to the server's routes.
public protocol RequestPassage: AnyObject, Sendable {
    /// The application's call that it is part of, for what runs within the same call.
    var call: any Sendable { get }
}

/// Distinguishes a connection from others between the same addresses.
public struct ConnectionPorts: Sendable, Equatable {
    /// The peer's port.
    public let peer: UInt16
    /// The server's port.
    public let own: UInt16

    /// Creates a connection's ports.
    public init(peer: UInt16, own: UInt16) {
        self.peer = peer
        self.own = own
    }
}

/// A complete response. The server adds Date, Connection and the framing fields when it writes the head.
public struct HTTPResponse: Sendable {
    /// The status code.
    public var status: HTTPStatus
    /// The fields, except those that the server adds.
    public var fields: HTTPFields
    /// The body; it is not sent in answer to HEAD, nor with 204 and 304.
    public var body: ResponseBody
    /// Behind one reference, because responses are passed on often and few have any of these.
    private var rarities: Rarities?

    private final class Rarities: Sendable {
        let values: Values

        struct Values: Sendable {
            var charge: ByteReservation?
            var reason: String?
            var date: Int64?
            var itemCount: Int?
            var isWithheld = false
            var delivery: ResponseDelivery?
        }

        init(_ values: Values) {
            self.values = values
        }
    }

    private var rare: Rarities.Values {
        get { rarities?.values ?? Rarities.Values() }
        set { rarities = Rarities(newValue) }
    }

    /// The part of the server's budget already reserved for the body; the server reserves the rest.
    public var charge: ByteReservation? {
        get { rarities?.values.charge }
        set { rare.charge = newValue }
    }
    /// Why the request is refused, for the log; nil if it isn't.
    public var reason: String? {
        get { rarities?.values.reason }
        set { rare.reason = newValue }
    }
    /// The value of its Date field, in seconds since 1970; nil for the machine's time.
    public var date: Int64? {
        get { rarities?.values.date }
        set { rare.date = newValue }
    }
    /// The number of items in the body; nil if it isn't a list.
    public var itemCount: Int? {
        get { rarities?.values.itemCount }
        set { rare.itemCount = newValue }
    }
    /// Whether nothing is sent and the connection is closed instead: a lost answer, for tests of clients.
    public var isWithheld: Bool {
        get { rarities?.values.isWithheld ?? false }
        set { rare.isWithheld = newValue }
    }

    /// Is notified of the delivery of the body; nil if no one is interested.
    public var delivery: ResponseDelivery? {
        get { rarities?.values.delivery }
        set { rare.delivery = newValue }
    }

    /// Creates a response; without a body, its length is 0.
    public init(_ status: HTTPStatus, fields: HTTPFields = HTTPFields(), body: [UInt8] = []) {
        self.init(status, fields: fields, body: .bytes(body))
    }

    /// Returns a response with a JSON body.
    public static func json(_ body: [UInt8], _ status: HTTPStatus = .ok) -> HTTPResponse {
        var response = HTTPResponse(status, body: body)
        response.fields.append("Content-Type", "application/json; charset=utf-8")
        return response
    }

    /// Creates a response with any kind of body.
    public init(_ status: HTTPStatus, fields: HTTPFields = HTTPFields(), body: ResponseBody) {
        self.status = status
        self.fields = fields
        self.body = body
    }
}

/// Why bytes from a client never became a request, so that no handler saw them.
public enum HTTPFault: Error, Sendable, Equatable {
    /// The bytes break the grammar; the sentence says where.
    case malformed(String)
    case requestLineTooLong(limit: Int)
    case fieldsTooLarge(limit: Int)
    case tooManyFields(limit: Int)
    case bodyTooLarge(limit: Int)
    /// The client took too long to complete a head or a body.
    case timeout
    case unsupportedVersion
    /// A transfer coding other than chunked.
    case unsupportedCoding(String)
    case unmetExpectation(String)
    case tooManyConnections(limit: Int)
    /// The client's own address has too many connections.
    case tooManyConnectionsOfAddress(limit: Int)
    /// The bodies and answers of all clients together take up the server's whole budget.
    case buffersFull

    /// The status to answer with.
    public var status: HTTPStatus {
        switch self {
        case .malformed: .badRequest
        case .requestLineTooLong: .uriTooLong
        case .fieldsTooLarge, .tooManyFields: .fieldsTooLarge
        case .bodyTooLarge: .contentTooLarge
        case .timeout: .requestTimeout
        case .unsupportedVersion: .versionNotSupported
        case .unsupportedCoding: .notImplemented
        case .unmetExpectation: .expectationFailed
        case .tooManyConnections, .tooManyConnectionsOfAddress, .buffersFull: .serviceUnavailable
        }
    }
}

/// Answers requests. The server calls it on the event loop of the connection: anything that can block must be awaited.
public protocol HTTPHandler: Sendable {
    func respond(to request: HTTPRequest) async -> HTTPResponse
    /// Returns the answer to a request that the server itself refused.
    /// - Parameter request: the part that arrived, without its body; the target is empty if not even that did.
    func response(to fault: HTTPFault, after request: HTTPRequest) -> HTTPResponse
    /// Called when streaming an answer failed in the middle, after which the connection is closed. Not called if the
    /// client disconnected, which isn't a failure.
    /// - Parameters:
    ///   - answer: the return value of `respond`.
    ///   - request: the request, without its body.
    func didBreakOff(_ answer: HTTPResponse, to request: HTTPRequest, because error: any Error)
}

extension HTTPHandler {
    /// Does nothing, for handlers whose answers don't stream.
    public func didBreakOff(_ answer: HTTPResponse, to request: HTTPRequest, because error: any Error) {}
}
