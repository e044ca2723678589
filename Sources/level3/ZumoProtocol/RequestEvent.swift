public import HTTPModel

/// An answered request: what the log, the metrics and other observers are told about it.
///
/// A class, because a copy counts a reference for each of its many parts, and every observer would make one.
public final class RequestEvent: Sendable {
    /// What the client and the log know it by.
    public let id: String
    /// By the method that it means.
    public let request: HTTPRequest
    /// How it was answered.
    public let answer: RouteResponse
    /// What answered it.
    public let group: RouteGroup
    /// Whether it is a frequent request of monitoring.
    public let isProbe: Bool
    /// How long the answer took to make.
    public let nanoseconds: Int64
    /// How many bytes its body has; nil for a stream that doesn't know.
    public let length: Int?

    /// Makes an event.
    /// - Parameter length: of a body that the answer has no more.
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

    /// The same without the bodies, for keeping it while the answer is sent: a slow client's answer is freed as it
    /// goes.
    public func withoutBodies() -> RequestEvent {
        var (request, answer) = (request, answer)
        request.body = []
        answer.response.body = .bytes([])
        answer.response.charge = nil
        return RequestEvent(
            id: id, request: request, answer: answer, group: group, isProbe: isProbe, nanoseconds: nanoseconds,
            length: length)
    }

    /// Answers of this many bytes and more may not fit into what the system buffers for a client, and may be cut off.
    private static let largeBytes = 64 << 10

    /// Whether the fate of the answer is known, which observers are told later.
    public var isLarge: Bool {
        answer.response.body.heldBytes >= Self.largeBytes && request.method != .head
    }
}

/// Told about requests, on their event loops: it must not block.
public protocol RequestObserver: AnyObject, Sendable {
    /// Called before anything is done.
    func begin(id: String, _ request: HTTPRequest)
    /// Called when the answer is ready.
    func end(_ event: RequestEvent)
    /// Called after that if the stream of an answer broke off.
    func didBreakOff(id: String, _ request: HTTPRequest, because error: any Error)
    /// Called after `end` with what became of a large answer.
    func didDeliver(_ event: RequestEvent, _ end: ResponseDelivery.End)
}

extension RequestObserver {
    /// Most have no use for it.
    public func didBreakOff(id: String, _ request: HTTPRequest, because error: any Error) {}
    /// Nor for this.
    public func didDeliver(_ event: RequestEvent, _ end: ResponseDelivery.End) {}
}
