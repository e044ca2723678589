public import HTTPModel

/// An answered request, as reported to the log, the metrics and other observers.
///
/// It is a class because every observer would copy it, and a copy would retain each of its many parts.
public final class RequestEvent: Sendable {
    /// The request's id, for the client and the log.
    public let id: String
    /// The request, with its effective method.
    public let request: HTTPRequest
    /// The answer.
    public let answer: RouteResponse
    /// The part of the server that answered.
    public let group: RouteGroup
    /// Whether it is a frequent monitoring request.
    public let isProbe: Bool
    /// How long it took to produce the answer.
    public let nanoseconds: Int64
    /// The size of the answer's body in bytes; nil for a stream of unknown size.
    public let length: Int?

    /// Creates an event.
    /// - Parameter length: the size of a body that the answer no longer has.
    public init(
        id: String, request: HTTPRequest, answer: RouteResponse, group: RouteGroup, isProbe: Bool, nanoseconds: Int64,
        length: Int?? = nil
    ) {
        self.id = id
        self.request = request
        self.answer = answer
        self.group = group
        self.isProbe = isProbe
        self.nanoseconds = nanoseconds
        self.length = length ?? answer.response.body.length
    }

    /// Returns the event without bodies, to be kept while the answer is sent: a slow client's answer is freed as it is
    /// sent.
    public func withoutBodies() -> RequestEvent {
        var (request, answer) = (request, answer)
        request.body = []
        answer.response.body = .bytes([])
        answer.response.charge = nil
        return RequestEvent(
            id: id, request: request, answer: answer, group: group, isProbe: isProbe, nanoseconds: nanoseconds,
            length: length)
    }

    /// Answers of at least this many bytes may exceed the system's send buffer, and may be cut off.
    private static let largeBytes = 64 << 10

    /// Whether observers are also told whether the answer was delivered.
    public var isLarge: Bool {
        answer.response.body.heldBytes >= Self.largeBytes && request.method != .head
    }
}

/// Is notified of requests on their event loops: it must not block.
public protocol RequestObserver: AnyObject, Sendable {
    /// Called before the request is handled.
    func begin(id: String, _ request: HTTPRequest)
    /// Called when the answer is ready.
    func end(_ event: RequestEvent)
    /// Called after `end` if streaming the answer failed.
    func didBreakOff(id: String, _ request: HTTPRequest, because error: any Error)
    /// Called after `end` with the delivery result of a large answer.
    func didDeliver(_ event: RequestEvent, _ end: ResponseDelivery.End)
}

extension RequestObserver {
    /// Does nothing.
    public func didBreakOff(id: String, _ request: HTTPRequest, because error: any Error) {}
    /// Does nothing.
    public func didDeliver(_ event: RequestEvent, _ end: ResponseDelivery.End) {}
}
