public import HTTPModel
internal import HTTPServer
internal import Synchronization

/// A receiver of notices: gives the answers it is told to, the last one again and again, and hands out what came.
public final class Receiver: HTTPHandler {
    private let statuses: Mutex<[HTTPStatus]>
    private let arrivals: AsyncStream<HTTPRequest>
    private let arrive: AsyncStream<HTTPRequest>.Continuation
    private let gate: AsyncStream<Void>
    private let openGate: AsyncStream<Void>.Continuation

    /// - Parameter hangs: whether no request is answered before `open` is called.
    public init(_ statuses: [HTTPStatus] = [.ok], hangs: Bool = false) {
        self.statuses = Mutex(statuses)
        (arrivals, arrive) = AsyncStream.makeStream()
        (gate, openGate) = AsyncStream.makeStream()
        if !hangs { openGate.finish() }
    }

    /// Lets a receiver that hangs answer.
    public func open() {
        openGate.finish()
    }

    /// Keeps the request and gives the next answer.
    public func respond(to request: HTTPRequest) async -> HTTPResponse {
        arrive.yield(request)
        for await _ in gate {}
        return HTTPResponse(statuses.withLock { $0.count > 1 ? $0.removeFirst() : $0.first ?? .ok })
    }

    /// Answers what is no request.
    public func response(to fault: HTTPFault, after request: HTTPRequest) -> HTTPResponse {
        HTTPResponse(fault.status)
    }

    /// Waits until so many requests have come. What hasn't within a minute is lost, and not waited for.
    public func next(_ count: Int) async -> [HTTPRequest] {
        let limit = Task { [arrive] in
            try await Task.sleep(for: .seconds(Patience.seconds(60)))
            arrive.finish()
        }
        defer { limit.cancel() }
        var requests: [HTTPRequest] = []
        for await request in arrivals {
            requests.append(request)
            if requests.count == count { break }
        }
        return requests
    }

    /// Runs a test with a server that listens for this receiver.
    public func listening<Result>(_ body: (_ url: String) async throws -> Result) async throws -> Result {
        let server = HTTPServer(handler: self)
        let port = try server.start(host: "127.0.0.1", port: 0).port
        defer {
            open()
            server.stop()
        }
        return try await body("http://127.0.0.1:\(port)/notices?from=zumod")
    }
}
