import HTTPModel
import HTTPServer
import ServerApp
import WorkThreads
import ZumoProtocol

/// The entry point of a test server: each request goes to its world, or controls one.
struct TestServerHandler: HTTPHandler {
    let worlds: Worlds
    let control: TestControl
    /// The maximum body size of requests to worlds, in bytes.
    let bodyBytes: Int
    /// Whether other machines, and their web pages, may use the control routes.
    let isRemoteAllowed: Bool

    private static let bodyBytesOnLoop = 64 << 10
    /// The maximum body size of control requests, such as an archive to replay, in bytes.
    static let controlBodyBytes = 64 << 20

    func respond(to request: HTTPRequest) async -> HTTPResponse {
        var request = request
        guard let world = world(of: &request) else {
            return TestControl.failure(
                .notFound, .pathUnknown, "There is no world of this name; POST /_test/worlds makes one.")
        }
        if let target = try? RequestTarget(request.target), target.segments.first == "_test" {
            guard isRemoteAllowed || !OperatorAccess.isOfForeignPage(request) else {
                return TestControl.failure(
                    .forbidden, .adminOnly,
                    "Pages and names of other machines may not ask this of a server for tests. Set test.allowRemote to "
                        + "true (ZUMOD_TEST_ALLOW_REMOTE) to allow it.")
            }
            do throws(MethodOverrideFault) {
                request = try request.asMeant()
            } catch {
                return FaultResponse.make(error, in: .v2)
            }
            guard request.body.count > Self.bodyBytesOnLoop else {
                return await control.respond(to: request, at: target, in: world)
            }
            // A large body isn't read on the event loop, which serves other connections too.
            let (disconnect, asked) = (ClientDisconnect.current, request)
            return await Task.detached {
                await ClientDisconnect.$current.withValue(disconnect) {
                    await control.respond(to: asked, at: target, in: world)
                }
            }.value
        }
        guard request.body.count <= bodyBytes else {
            return world.response(to: .bodyTooLarge(limit: bodyBytes), after: request)
        }
        return await FaultInjection(world: world).respond(to: request)
    }

    func response(to fault: HTTPFault, after request: HTTPRequest) -> HTTPResponse {
        var request = request
        return (world(of: &request) ?? worlds.root).response(to: fault, after: request)
    }

    func didBreakOff(_ answer: HTTPResponse, to request: HTTPRequest, because error: any Error) {
        var request = request
        (world(of: &request) ?? worlds.root).didBreakOff(answer, to: request, because: error)
    }

    /// The faults that tests inject into connections.
    var faults: InjectedFaults {
        InjectedFaults(
            resetsConnection: { [worlds] in worlds.root.faults.strikesConnection() },
            closesBeforeReading: { head in
                var head = head
                guard let world = world(of: &head) else { return false }
                return FaultInjection(world: world).closesBeforeReading(head)
            })
    }

    /// Returns the world that a request is for, and moves the world's part of the path to the base path of its links.
    /// - Returns: nil if it names a world that doesn't exist.
    private func world(of request: inout HTTPRequest) -> World? {
        let target = request.target
        guard target.starts(with: "/w/".utf8) else { return worlds.root }
        let end = target.dropFirst(3).firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? target.count
        let name = String(decoding: target[3..<end], as: UTF8.self)
        guard let world = worlds.world(name) else { return nil }
        let rest = target[end...]
        request.target = rest.first == UInt8(ascii: "/") ? Array(rest) : [UInt8(ascii: "/")] + rest
        request.basePath = "/w/\(name)"
        return world
    }
}
