import Foundation
import HTTPModel
import HTTPServer
import Synchronization
import Testing
import WireTesting
import WorkThreads

/// Holds handlers back until the test lets them go on.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var arrivals = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }
    private let state = Mutex(State())

    /// How many handlers came to the gate so far.
    var arrivals: Int { state.withLock { $0.arrivals } }

    func pass() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                state.arrivals += 1
                if !state.isOpen { state.waiting.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }

    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}

/// Counts across threads.
final class Count: Sendable {
    let number = Atomic(0)
}

/// Answers what the tests ask for: the target, the body, so many bytes, nothing, or nothing yet.
struct TestHandler: HTTPHandler {
    var gate = Gate()
    /// How many handlers began to wait for their client to go.
    var waits = Count()
    /// How many handlers learned that their client was gone.
    var disconnects = Count()

    func respond(to request: HTTPRequest) async -> HTTPResponse {
        let target = String(decoding: request.target, as: UTF8.self)
        if target == "/echo" { return HTTPResponse(.ok, body: request.body) }
        if target == "/nothing" { return HTTPResponse(.noContent) }
        if target == "/peer" { return HTTPResponse(.ok, body: Array(request.peer.utf8)) }
        if target.hasPrefix("/bytes/") {
            return HTTPResponse(.ok, body: [UInt8](repeating: 120, count: Int(target.dropFirst(7)) ?? 0))
        }
        if target.hasPrefix("/json/") { return Self.json(Int(target.dropFirst(6)) ?? 0) }
        if target.hasPrefix("/noise/") { return Self.noise(Int(target.dropFirst(7)) ?? 0) }
        if target.hasPrefix("/secret/") {
            var secret = Self.json(Int(target.dropFirst(8)) ?? 0)
            secret.fields.append("Cache-Control", "no-store")
            return secret
        }
        if target == "/gate" { await gate.pass() }
        if target == "/wait" { await waitForDisconnect() }
        if target == "/away" { await Self.workElsewhere() }
        return HTTPResponse(.ok, body: request.target)
    }

    func response(to fault: HTTPFault, after request: HTTPRequest) -> HTTPResponse {
        HTTPResponse(fault.status, body: Array("\(fault)".utf8))
    }

    /// A text of so many bytes that says it is JSON.
    static func json(_ size: Int) -> HTTPResponse {
        var response = HTTPResponse(.ok, body: text(size))
        response.fields.append("Content-Type", "application/json; charset=utf-8")
        return response
    }

    /// So many bytes of JSON.
    static func text(_ size: Int) -> [UInt8] {
        let row = Array(#"{"id":"6f1c","text":"milk","complete":false},"#.utf8)
        var text: [UInt8] = []
        while text.count + row.count <= size { text += row }
        return text + row.prefix(size - text.count)
    }

    /// The same, but that no coding makes it smaller.
    static func noise(_ size: Int) -> HTTPResponse {
        var response = json(0)
        var state: UInt64 = 1
        response.body = .bytes(
            (0..<size).map { _ in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return UInt8(state >> 56)
            })
        return response
    }

    private func waitForDisconnect() async {
        waits.number.add(1, ordering: .relaxed)
        while ClientDisconnect.current?.hasCome == false {
            await Self.workElsewhere()
            try? await Task.sleep(for: .milliseconds(5))
        }
        disconnects.number.add(1, ordering: .relaxed)
    }

    /// Suspends on another executor than the loop.
    private static func workElsewhere() async {
        // Not on the pool of all tests, which others may be blocking.
        await withCheckedContinuation { continuation in
            Thread { continuation.resume() }.start()
        }
    }
}

/// Runs socket code on a thread of its own: test tasks share a pool that must not be blocked.
func blocking<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
    let transport = Transport.current
    return try await withCheckedThrowingContinuation { continuation in
        Thread {
            continuation.resume(with: Transport.$current.withValue(transport) { Swift.Result(catching: work) })
        }.start()
    }
}

/// Serves on a free port while the test runs its client.
func serving<Result: Sendable>(
    _ handler: any HTTPHandler = TestHandler(), limits: (inout ServerLimits) -> Void = { _ in },
    _ client: @escaping @Sendable (UInt16) throws -> Result
) async throws -> Result {
    var chosen = ServerLimits.patient
    limits(&chosen)
    let server = try Transport.server(handler: handler, limits: chosen)
    let port = try server.start(host: "127.0.0.1", port: 0).port
    defer { server.stop() }
    return try await blocking { try client(port) }
}

extension ServerLimits {
    /// Those of a server that is tried for something else: on a busy machine hundreds of clients take long to connect, and
    /// only then to ask.
    static var patient: ServerLimits {
        var limits = ServerLimits()
        limits.headerTime = .seconds(120)
        return limits
    }
}

/// Waits for what another thread brings about.
func eventually(_ condition: () -> Bool) -> Bool {
    Patience.until(condition)
}

/// Expects a client to be told that there are too many connections, and its own to end.
func expectRefusal(of client: RawClient, asking request: String) throws {
    let refusal = try client.ask(request)
    #expect(refusal.statusLine == "HTTP/1.1 503 Service Unavailable")
    #expect(refusal["Connection"] == "close")
    #expect(try client.receiveToEnd().isEmpty)
}
