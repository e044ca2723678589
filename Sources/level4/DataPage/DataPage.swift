import Access
public import HTTPModel
import JSONText
import Scalars
import Tables
public import ZumoProtocol

/// The data page at `/_/`: an operator's browser view of tables, devices and requests.
///
/// Operators sign in with the master key, or as an admin. The page then reads and writes all rows, in the same way as
/// every client.
public struct DataPage: Route {
    let parts: PageDependencies
    private let sessions: PageSessions

    /// Creates the page.
    public init(_ parts: PageDependencies) {
        self.parts = parts
        sessions = PageSessions(parts)
    }

    /// - Returns: nil if the path is not below `/_`.
    public func answer(_ request: HTTPRequest, at target: RequestTarget) async -> RouteResponse? {
        guard target.segments.first == "_" else { return nil }
        var answer = await guarded(request, at: target)
        PageHeaders.sign(&answer.response)
        return answer
    }

    /// Adds nothing: the page is for people.
    public func describe(in document: inout OpenAPIDocument) {}

    private func guarded(_ request: HTTPRequest, at target: RequestTarget) async -> RouteResponse {
        guard parts.isForEverybody || OperatorAccess.isOnMachine(request) else {
            return RouteResponse(
                ErrorResponse(
                    .forbidden, .adminOnly,
                    "The data page is for the server's own machine only. Set page.enabled to true to open it to others."
                ),
                in: .v2)
        }
        let path = target.segments.dropFirst()
        do throws(PageFault) {
            try checkOrigin(of: request)
            switch path.first {
            case "assets":
                return RouteResponse(try PageAsset.answer(request, named: path.dropFirst().joined(separator: "/")))
            case "api": return try await api(request, target, Array(path.dropFirst()))
            case "tables" where path.count == 2 && RowDownload(target) != nil:
                return try await download(request, target)
            case nil, "tables", "devices", "requests", "health": return RouteResponse(try PageAsset.page(for: request))
            default: throw .unknownPath
            }
        } catch {
            return RouteResponse(ErrorResponse(error), in: .v2)
        }
    }

    private func download(_ request: HTTPRequest, _ target: RequestTarget) async throws(PageFault) -> RouteResponse {
        guard let download = RowDownload(target) else { throw .unknownPath }
        try PageFault.only(request)
        let session = try await sessions.session(of: request)
        return await download.answer(request, from: parts, to: session.caller)
    }

    /// Answers a request from the page's own script.
    private func api(
        _ request: HTTPRequest, _ target: RequestTarget, _ path: [String]
    ) async throws(PageFault) -> RouteResponse {
        // Addresses that are typed or followed open pages and files; this is only for the script.
        if let site = request.fields["Sec-Fetch-Site"], site != "same-origin" { throw .foreign }
        if path == ["session"] { return try await session(request) }
        let session = try await sessions.session(of: request)
        if request.method != .get, request.method != .head { try session.checkToken(of: request) }
        var answer = try await response(to: request, target, path)
        if answer.caller == nil { answer.caller = session.caller }
        answer.isPoll = request.fields.contains("X-Zumod-Poll")
        // An operator's actions extend the session; the script's own polling every two seconds doesn't.
        if !answer.isPoll, let cookie = try await sessions.renewal(of: session) {
            answer.response.fields.append("Set-Cookie", cookie)
        }
        return answer
    }

    /// Refuses requests from the script of another page, even one on another port of the same machine. The page may be
    /// at the public address or, for a browser on the server's machine or network, at the address at which it was
    /// opened.
    private func checkOrigin(of request: HTTPRequest) throws(PageFault) {
        guard let origin = request.fields["Origin"] else { return }
        let isOwn = [parts.publicURL, nil].contains { publicURL in
            let address = PublicAddress(request, publicURL: publicURL, trusting: parts.proxies).base
            // The public address may have a path.
            return (address + "/").lowercased().hasPrefix(origin.lowercased() + "/")
        }
        guard isOwn else { throw .foreign }
    }

    private func session(_ request: HTTPRequest) async throws(PageFault) -> RouteResponse {
        switch request.method {
        case .get, .head: return RouteResponse(try await sessions.describe(request))
        case .post: return RouteResponse(try await sessions.begin(request))
        case .delete:
            // Without a session there is nothing to end.
            if let session = try? await sessions.session(of: request) { try session.checkToken(of: request) }
            return RouteResponse(try await sessions.end(request))
        default: throw .method(request.method, "GET, POST, DELETE")
        }
    }

    private func response(
        to request: HTTPRequest, _ target: RequestTarget, _ path: [String]
    ) async throws(PageFault) -> RouteResponse {
        switch (path.first, path.count) {
        case ("rows", 2...3):
            return await PageRows(rows: parts.rows).answer(request, Array(path.dropFirst()))
        case ("tables", 1...3):
            return try await TablePages(parts: parts).answer(request, target, Array(path.dropFirst()))
        case ("requests", 1): return RouteResponse(try await requests(request, target))
        case ("requests.har", 1): return RouteResponse(try await readApart(request) { $0.archive() })
        case ("conflicts", 1): return RouteResponse(try await readApart(request) { $0.conflicts() })
        case ("devices", 1):
            let json: JSONValue
            do throws(TableError) {
                json = try await DevicePages.json(of: parts.devices, parts.tables())
            } catch {
                throw .store(error)
            }
            return RouteResponse(try read(request) { .page(json) })
        case ("log", 1):
            return RouteResponse(try read(request) { .page(parts.log.json(after: Self.number("after", in: target))) })
        case ("health", 1):
            let reading = await parts.health()
            return RouteResponse(try read(request) { .page(reading.json(at: parts.callers.clock().wireText)) })
        default: throw .unknownPath
        }
    }

    private var requestPages: RequestPages { RequestPages(record: parts.record, product: parts.product) }

    private func requests(
        _ request: HTTPRequest, _ target: RequestTarget
    ) async throws(PageFault) -> HTTPResponse {
        let pages = requestPages
        var after = 0
        switch request.method {
        case .get, .head: after = Self.number("after", in: target)
        case .put: try pages.set(by: request)
        case .delete: return pages.clear()
        default: throw .method(request.method, "GET, PUT, DELETE")
        }
        parts.record.isSeen()
        return await PageThread.run { [after] in pages.list(after: after) }
    }

    /// Runs a read that may take long to encode on a separate thread.
    private func readApart(
        _ request: HTTPRequest, _ make: @escaping @Sendable (RequestPages) -> HTTPResponse
    ) async throws(PageFault) -> HTTPResponse {
        try PageFault.only(request)
        let pages = requestPages
        return await PageThread.run { make(pages) }
    }

    private func read(_ request: HTTPRequest, _ make: () -> HTTPResponse) throws(PageFault) -> HTTPResponse {
        try PageFault.only(request)
        return make()
    }

    private static func number(_ name: String, in target: RequestTarget) -> Int {
        max(0, target.query.last { $0.name == name }.flatMap { Int($0.value) } ?? 0)
    }
}
