import HTTPModel
import ZumoProtocol

/// A request that was answered: what the log, the metrics and whoever else looks on are told of it.
///
/// A class, since a copy counts a reference of each of its many parts, and everybody who is told makes one.
final class RequestEvent: Sendable {
    let id: String
    let request: HTTPRequest
    let answer: RouteAnswer
    let group: RouteGroup
    /// Whether those who look after the server asked, who ask often.
    let isProbe: Bool
    /// How long the answer took to make.
    let nanoseconds: Int64
    /// How many bytes its body has; nil for a stream that doesn't know.
    let length: Int?

    convenience init(
        id: String, request: HTTPRequest, answer: RouteAnswer, group: RouteGroup, isProbe: Bool, nanoseconds: Int64
    ) {
        self.init(
            id: id, request: request, answer: answer, group: group, isProbe: isProbe, nanoseconds: nanoseconds,
            length: answer.response.body.length)
    }

    private init(
        id: String, request: HTTPRequest, answer: RouteAnswer, group: RouteGroup, isProbe: Bool, nanoseconds: Int64,
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

    /// The same without the bodies, for whoever keeps it while the answer is sent: a slow client's is freed as it goes.
    func withoutBodies() -> RequestEvent {
        var (request, answer) = (request, answer)
        request.body = []
        answer.response.body = .bytes([])
        answer.response.charge = nil
        return RequestEvent(
            id: id, request: request, answer: answer, group: group, isProbe: isProbe, nanoseconds: nanoseconds,
            length: length)
    }

    /// Answers from so many bytes on may not fit into what the system holds for a client, and be cut off.
    private static let largeBytes = 64 << 10

    /// Whether it is known what became of the answer, of which observers are told later.
    var isLarge: Bool {
        answer.response.body.heldBytes >= Self.largeBytes && request.method != .head
    }
}

/// Somebody who is told of requests, on their event loops: it must not block.
protocol RequestObserver: AnyObject, Sendable {
    /// Is told before anything is done.
    func begin(id: String, _ request: HTTPRequest)
    /// Is told when the answer is made.
    func end(_ event: RequestEvent)
    /// Is told after that where the stream of an answer broke off.
    func didBreakOff(id: String, _ request: HTTPRequest, because error: any Error)
    /// Is told after `end` what became of a large answer.
    func didDeliver(_ event: RequestEvent, _ end: AnswerDelivery.End)
}

extension RequestObserver {
    func didBreakOff(id: String, _ request: HTTPRequest, because error: any Error) {}
    func didDeliver(_ event: RequestEvent, _ end: AnswerDelivery.End) {}
}

/// Observers one behind the other: to go through an array counts a reference of each, and all threads count the same ones.
final class ObserverChain: Sendable {
    private let observer: any RequestObserver
    private let next: ObserverChain?

    /// - Returns: nil where there are none.
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

    func didDeliver(_ event: RequestEvent, _ end: AnswerDelivery.End) {
        observer.didDeliver(event, end)
        next?.didDeliver(event, end)
    }
}
