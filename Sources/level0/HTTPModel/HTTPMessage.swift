/// A complete request: its head and its whole body.
public struct HTTPRequest: Sendable {
    /// What is asked for.
    public var method: HTTPMethod
    /// The request target as it came (RFC 9112 section 3.2), not yet decoded.
    public var target: [UInt8]
    /// The header fields; trailers are dropped.
    public var fields: HTTPFields
    /// The body, with its transfer coding undone.
    public var body: [UInt8]
    /// The address of the peer, without its port; empty if it has none.
    public var peer: String
    /// The ports of its connection's two ends; nil if it didn't come over a connection of this server.
    public var ports: ConnectionPorts?
    /// Whether it is HTTP/1.1; an HTTP/1.0 request counts as a proxy's.
    public var isModern = true
    /// Whether it came encrypted to this server itself.
    public var isSecured = false
    /// What its client's paths have before the target, without a trailing slash: the address of a part of the server
    /// that stands for a whole one. Links and locations start with it.
    public var basePath = ""
    /// For asking about its answer later; nil if it didn't come over a connection of this server.
    public var answer: ResponseTicket?

    /// A request as a server receives it; tests make them too.
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

/// Distinguishes a connection from others between the same addresses.
public struct ConnectionPorts: Sendable, Equatable {
    /// The other side's.
    public let peer: UInt16
    /// The server's.
    public let own: UInt16

    /// Of a connection.
    public init(peer: UInt16, own: UInt16) {
        self.peer = peer
        self.own = own
    }
}

/// A complete response. The server adds Date, Connection and what frames the body when it writes the head.
public struct HTTPResponse: Sendable {
    /// The status code.
    public var status: HTTPStatus
    /// The fields, except those that the server adds.
    public var fields: HTTPFields
    /// The body; it is not sent in answer to HEAD, nor with 204 and 304.
    public var body: ResponseBody
    /// Behind one reference, as responses are handed on often and few have anything there.
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

    /// What the body holds of the server's budget already; the server charges for the rest.
    public var charge: ByteReservation? {
        get { rarities?.values.charge }
        set { rare.charge = newValue }
    }
    /// Why the request is refused, for the log; nil if it isn't.
    public var reason: String? {
        get { rarities?.values.reason }
        set { rare.reason = newValue }
    }
    /// What its Date field says, in seconds since 1970; nil for the machine's time.
    public var date: Int64? {
        get { rarities?.values.date }
        set { rare.date = newValue }
    }
    /// How many items the body lists; nil if it isn't a list.
    public var itemCount: Int? {
        get { rarities?.values.itemCount }
        set { rare.itemCount = newValue }
    }
    /// Set if nothing of it is sent, and the connection is closed instead: a lost answer, for tests of clients.
    public var isWithheld: Bool {
        get { rarities?.values.isWithheld ?? false }
        set { rare.isWithheld = newValue }
    }

    /// Told what becomes of the body; nil if nobody asks.
    public var delivery: ResponseDelivery? {
        get { rarities?.values.delivery }
        set { rare.delivery = newValue }
    }

    /// A response; without a body it has the length 0.
    public init(_ status: HTTPStatus, fields: HTTPFields = HTTPFields(), body: [UInt8] = []) {
        self.init(status, fields: fields, body: .bytes(body))
    }

    /// A response with a body of JSON.
    public static func json(_ body: [UInt8], _ status: HTTPStatus = .ok) -> HTTPResponse {
        var response = HTTPResponse(status, body: body)
        response.fields.append("Content-Type", "application/json; charset=utf-8")
        return response
    }

    /// A response with any kind of body.
    public init(_ status: HTTPStatus, fields: HTTPFields = HTTPFields(), body: ResponseBody) {
        self.status = status
        self.fields = fields
        self.body = body
    }
}

/// A request that never became one, so that no handler could see it.
public enum HTTPFault: Error, Sendable, Equatable {
    /// The bytes break the grammar; the sentence says where.
    case malformed(String)
    case requestLineTooLong(limit: Int)
    case fieldsTooLarge(limit: Int)
    case tooManyFields(limit: Int)
    case bodyTooLarge(limit: Int)
    /// The client took too long to send a head or a body that it had begun.
    case timeout
    case unsupportedVersion
    /// A transfer coding other than chunked.
    case unsupportedCoding(String)
    case unmetExpectation(String)
    case tooManyConnections(limit: Int)
    /// The client's own address has too many.
    case tooManyConnectionsOfAddress(limit: Int)
    /// The bodies and answers of all clients together take all that the server has for them.
    case buffersFull

    /// The status that answers the fault.
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

/// Answers requests. The server calls it on the event loop of the connection: what can block has to be awaited.
public protocol HTTPHandler: Sendable {
    func respond(to request: HTTPRequest) async -> HTTPResponse
    /// Renders the answer to a request that the server itself refused.
    /// - Parameter request: what arrived of it, without its body: the target is empty where not even that did.
    func response(to fault: HTTPFault, after request: HTTPRequest) -> HTTPResponse
    /// Called when an answer's stream broke off in the middle, after which the connection is cut off. Not called if the
    /// client left: that isn't a failure.
    /// - Parameters:
    ///   - answer: what `respond` returned.
    ///   - request: without its body.
    func didBreakOff(_ answer: HTTPResponse, to request: HTTPRequest, because error: any Error)
}

extension HTTPHandler {
    /// Does nothing: for handlers whose answers don't stream.
    public func didBreakOff(_ answer: HTTPResponse, to request: HTTPRequest, because error: any Error) {}
}
