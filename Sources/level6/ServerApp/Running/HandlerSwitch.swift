import HTTPModel
import Synchronization

/// The entry point of requests: each is answered entirely by the handler that is current when it arrives.
final class HandlerSwitch: HTTPHandler {
    private let place: Mutex<RootHandler>

    init(_ handler: RootHandler) {
        place = Mutex(handler)
    }

    /// Makes another handler answer all requests that arrive from now on.
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
