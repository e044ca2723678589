import HTTPModel
import Synchronization

/// Where requests come in: each is answered by the handler that is there as it comes, to its end.
final class HandlerSwitch: HTTPHandler {
    private let place: Mutex<RootHandler>

    init(_ handler: RootHandler) {
        place = Mutex(handler)
    }

    /// Lets another handler answer every request that arrives from now on.
    func replace(with handler: RootHandler) {
        place.withLock { $0 = handler }
    }

    private var handler: RootHandler { place.withLock { $0 } }

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
