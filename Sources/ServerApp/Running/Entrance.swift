import HTTPModel
import Synchronization

/// Where requests come in: each is answered by the handler that is there as it comes, to its end.
final class Entrance: HTTPHandler {
    /// Passed from hand to hand at the cost of one reference.
    private final class Place: Sendable {
        let handler: RootHandler

        init(_ handler: RootHandler) {
            self.handler = handler
        }
    }

    private let place: Mutex<Place>

    init(_ handler: RootHandler) {
        place = Mutex(Place(handler))
    }

    /// Has every request that comes from now on answered by another handler.
    func replace(with handler: RootHandler) {
        let next = Place(handler)
        place.withLock { $0 = next }
    }

    private var handler: RootHandler { place.withLock { $0 }.handler }

    func respond(to request: HTTPRequest) async -> HTTPResponse {
        await handler.respond(to: request)
    }

    func response(to fault: HTTPFault, after request: HTTPRequest) -> HTTPResponse {
        handler.response(to: fault, after: request)
    }
    func didBreakOff(_ answer: HTTPResponse, to request: HTTPRequest, because error: any Error) {
        handler.didBreakOff(answer, to: request, because: error)
    }
}
