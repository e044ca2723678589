import HTTPModel
import ServerLogging
import Testing
import WireTesting
import ZumoProtocol

@testable import ServerApp

@Suite struct `A large answer` {
    private let lines = LogLines()

    /// Answers with as many bytes as the path says.
    private struct Sizes: Route {
        let probes: [String] = []

        func answer(_ request: HTTPRequest, at target: RequestTarget) async -> RouteResponse? {
            RouteResponse(HTTPResponse(.ok, body: [UInt8](repeating: 120, count: Int(target.segments[0]) ?? 0)))
        }

        func describe(in document: inout OpenAPIDocument) {}
    }

    private func answer(_ size: Int, _ method: HTTPMethod = .get) async -> HTTPResponse {
        let log = RequestLog(Log(CurrentLogSettings(), write: lines.append))
        let handler = RootHandler(
            [Sizes()], generations: Generations(), proxies: .loopback, telling: [log])
        var request = HTTPRequest(method: method, target: Array("/\(size)".utf8))
        request.fields.append("X-Request-Id", "me")
        return await handler.respond(to: request)
    }

    @Test func `is logged with its status once it is sent`() async throws {
        let response = await answer(100_000)
        #expect(lines.all == [])
        try #require(response.delivery).end(.sent)
        try #require(response.delivery).end(.cut(bytes: 1, because: .gone))
        #expect(lines.all.count == 1)
        let words = "bytes=100000 id=me method=GET path=/100000 status=200 us="
        #expect(lines.all[0].contains(" info request address=\"\" \(words)"))
    }

    @Test func `that is cut off is logged as that, with how much of it was sent, and not as a success`() async throws {
        let response = await answer(100_000)
        try #require(response.delivery).end(.cut(bytes: 30_000, because: .tooSlow))
        #expect(lines.all.count == 1)
        let words = "bytes=30000 cut=\"the client took it too slowly\" id=me method=GET of=100000 path=/100000 us="
        #expect(lines.all[0].contains(" info request cut off address=\"\" \(words)"))
        #expect(!lines.all[0].contains("status"))
    }

    @Test func `that nobody sent is logged as cut off`() async {
        _ = await answer(100_000)
        #expect(lines.all.count == 1)
        #expect(lines.all[0].contains("request cut off address=\"\" bytes=0 cut=\"the client went\""))
    }

    @Test func `in whose place another is sent has no line of its own`() async throws {
        let response = await answer(100_000)
        try #require(response.delivery).drop()
        #expect(lines.all == [])
    }

    @Test func `is none that goes at once, nor one that is not sent`() async {
        for response in [await answer(10_000), await answer(100_000, .head)] { #expect(response.delivery == nil) }
        #expect(lines.all.count == 2 && lines.all.allSatisfy { $0.contains("status=200") })
    }
}
