import HTTPModel
import ZumoProtocol

/// An answered request: what the log, the metrics and other observers are told about it.
///
/// A class, because a copy counts a reference for each of its many parts, and every observer would make one.
final class RequestEvent: Sendable {
    let id: String
    let request: HTTPRequest
    let answer: RouteResponse
    let group: RouteGroup
    /// Whether it is a frequent request of monitoring.
    let isProbe: Bool
    /// How long the answer took to make.
    let nanoseconds: Int64
    /// How many bytes its body has; nil for a stream that doesn't know.
    let length: Int?

    convenience init(
        id: String, request: HTTPRequest, answer: RouteResponse, group: RouteGroup, isProbe: Bool, nanoseconds: Int64
    ) {
        self.init(
            id: id, request: request, answer: answer, group: group, isProbe: isProbe, nanoseconds: nanoseconds,
            length: answer.response.body.length)
    }

    private init(
        id: String, request: HTTPRequest, answer: RouteResponse, group: RouteGroup, isProbe: Bool, nanoseconds: Int64,
        length: Int?
    ) {
        self.id = id
        self.request = request
        self.answer = answer
        self.group = group
        self.isProbe = isProbe
        self.nanoseconds = nanoseconds
        self.length = length
    }

    /// The same without the bodies, for keeping it while the answer is sent: a slow client's answer is freed as it
    /// goes.
    func withoutBodies() -> RequestEvent {
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
    var isLarge: Bool {
        answer.response.body.heldBytes >= Self.largeBytes && request.method != .head
    }
}

/// Told about requests, on their event loops: it must not block.
protocol RequestObserver: AnyObject, Sendable {
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
    func didBreakOff(id: String, _ request: HTTPRequest, because error: any Error) {}
    func didDeliver(_ event: RequestEvent, _ end: ResponseDelivery.End) {}
}

/// Observers in a linked list: iterating over an array counts a reference for each, and all threads count the same
/// ones.
final class ObserverChain: Sendable {
    private let observer: any RequestObserver
    private let next: ObserverChain?

    /// - Returns: nil if there are none.
    init?(_ observers: ArraySlice<any RequestObserver>) {
        guard let first = observers.first else { return nil }
        observer = first
        next = ObserverChain(observers.dropFirst())
    }

    func begin(id: String, _ request: HTTPRequest) {
        observer.begin(id: id, request)
        next?.begin(id: id, request)
    }

    func end(_ event: RequestEvent) {
        observer.end(event)
        next?.end(event)
    }

    func didBreakOff(id: String, _ request: HTTPRequest, because error: any Error) {
        observer.didBreakOff(id: id, request, because: error)
        next?.didBreakOff(id: id, request, because: error)
    }

    func didDeliver(_ event: RequestEvent, _ end: ResponseDelivery.End) {
        observer.didDeliver(event, end)
        next?.didDeliver(event, end)
    }
}
