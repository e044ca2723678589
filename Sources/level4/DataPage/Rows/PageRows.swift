import Access
import HTTPModel
import Tables
import ZumoProtocol

/// The rows of a table, which the page reads and writes like a client of the table API (v2).
struct PageRows: Sendable {
    let rows: @Sendable (HTTPRequest, RequestTarget, Int) async -> RouteResponse
    /// The maximum number of rows in an answer.
    var pageSize = 100

    /// Passes a request on to the table API.
    /// - Parameter path: the table's name, and optionally a row's id.
    func answer(_ request: HTTPRequest, _ path: [String]) async -> RouteResponse {
        let query = request.target.drop { $0 != UInt8(ascii: "?") }
        var answer = await self.answer(request, path, query: Array(query.dropFirst()))
        if let offset = answer.queryOffset { Self.tell(offset, in: &answer.response) }
        return answer
    }

    /// - Parameter query: the encoded text after the question mark.
    func answer(_ request: HTTPRequest, _ path: [String], query: [UInt8]) async -> RouteResponse {
        var asking = request
        asking.fields = HTTPFields()
        asking.fields.append("ZUMO-API-VERSION", "2.0.0")
        for name in ["Content-Type", "If-Match", "Host", "traceparent"] as [StaticString] {
            for value in request.fields.values(name) { asking.fields.append(name, value) }
        }
        asking.target = Array("/tables".utf8)
        for segment in path {
            asking.target.append(UInt8(ascii: "/"))
            PercentEncoding.encode(segment, into: &asking.target)
        }
        if !query.isEmpty { asking.target += [UInt8(ascii: "?")] + query }
        do throws(RequestTarget.Fault) {
            return await rows(asking, try RequestTarget(asking.target), pageSize)
        } catch {
            return RouteResponse(ErrorResponse(PageFault.unknownPath), in: .v2)
        }
    }

    /// Adds to a refusal the position in the query of what caused it.
    static func tell(_ offset: Int, in response: inout HTTPResponse) {
        guard var body = response.body.joined, body.last == UInt8(ascii: "}") else { return }
        body.removeLast()
        body += Array(",\"offset\":\(offset)}".utf8)
        response.body = .bytes(body)
    }
}
