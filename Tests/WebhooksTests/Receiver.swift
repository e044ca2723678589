import HTTPModel
import HTTPServer
import Synchronization

/// A receiver of notices: gives the answers it is told to, the last one again and again, and hands out what came.
final class Receiver: HTTPHandler {
    private let statuses: Mutex<[HTTPStatus]>
    private let arrivals: AsyncStream<HTTPRequest>
    private let arrive: AsyncStream<HTTPRequest>.Continuation
    private let gate: AsyncStream<Void>
    private let openGate: AsyncStream<Void>.Continuation

    /// - Parameter hangs: whether no request is answered before `open` is called.
    init(_ statuses: [HTTPStatus] = [.ok], hangs: Bool = false) {
        self.statuses = Mutex(statuses)
        (arrivals, arrive) = AsyncStream.makeStream()
        (gate, openGate) = AsyncStream.makeStream()
        if !hangs { openGate.finish() }
    }

    func open() {
        openGate.finish()
    }

    func respond(to request: HTTPRequest) async -> HTTPResponse {
        arrive.yield(request)
        for await _ in gate {}
        return HTTPResponse(statuses.withLock { $0.count > 1 ? $0.removeFirst() : $0.first ?? .ok })
    }

    func response(to fault: HTTPFault) -> HTTPResponse {
        HTTPResponse(fault.status)
    }

    /// Waits until so many requests have come.
    func next(_ count: Int) async -> [HTTPRequest] {
        var requests: [HTTPRequest] = []
        for await request in arrivals {
            requests.append(request)
            if requests.count == count { break }
        }
        return requests
    }

    /// Runs a test with a server that listens for this receiver.
    func listening<Result>(_ body: (_ url: String) async throws -> Result) async throws -> Result {
        let server = HTTPServer(handler: self)
        let port = try server.start(host: "127.0.0.1", port: 0).port
        defer {
            open()
            server.stop()
        }
        return try await body("http://127.0.0.1:\(port)/notices?from=zumod")
    }
}
