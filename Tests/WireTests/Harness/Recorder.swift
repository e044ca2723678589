import Exchanges
import HTTPModel
import Scalars
import Testing
import WireTesting

@testable import TestMode

/// A client whose exchanges with a server are recorded, as a server for tests would do it.
final class Recorder {
    let record = ExchangeRecord()
    private let client: WireClient
    private let host: String

    init(_ server: TestServer) throws {
        client = try WireClient(port: server.port)
        host = "127.0.0.1:\(server.port)"
    }

    /// Sends a request.
    /// - Parameter fields: each as `name: value`.
    @discardableResult
    func send(_ method: String, _ target: String, _ fields: [String] = [], _ body: String = "") throws -> WireResponse {
        var request = HTTPRequest(
            method: HTTPMethod(method), target: Array(target.utf8), body: Array(body.utf8), peer: "127.0.0.1")
        for field in ["Host: \(host)", "Content-Length: \(body.utf8.count)", "Accept-Encoding: identity"] + fields {
            let parts = field.split(separator: ": ", maxSplits: 1).map(String.init)
            request.fields.append(named: try #require(HTTPFieldName(parts[0])), parts[1])
        }
        let (answer, response) = try Self.send(request, by: client)
        record.append(
            Exchange(
                request, id: answer["X-Request-Id"] ?? "", start: Instant(milliseconds: 0), duration: .milliseconds(1),
                answer: response))
        return answer
    }

    /// Sends a request as it is.
    /// - Returns: the answer as it came, and as the server's handler had it.
    static func send(_ request: HTTPRequest, by client: WireClient) throws -> (WireResponse, HTTPResponse) {
        var head = Array("\(request.method.name) ".utf8) + request.target + Array(" HTTP/1.1\r\n".utf8)
        request.fields.encode(into: &head)
        if !request.fields.contains("Content-Length"), !request.body.isEmpty {
            head += Array("Content-Length: \(request.body.count)\r\n".utf8)
        }
        try client.send(head + [13, 10] + request.body)
        let answer = try client.response(hasBody: request.method != .head)
        var response = HTTPResponse(try #require(HTTPStatus(rawValue: answer.code)), body: answer.body)
        for field in answer.fields where !isOfConnection(field) {
            response.fields.append(named: try #require(HTTPFieldName(field.name)), field.value)
        }
        return (answer, response)
    }

    /// What the connection adds, which no record sees.
    private static func isOfConnection(_ field: (name: String, value: String)) -> Bool {
        ["content-length", "date", "connection"].contains(field.name.lowercased())
            || field.name == "Vary" && field.value == "Accept-Encoding"
    }

    /// What a record answers at a path.
    static func ask(_ record: ExchangeRecord, _ path: String) throws -> [UInt8] {
        let target = try RequestTarget(Array("/_test/requests/\(path)".utf8))
        let request = HTTPRequest(method: .get, target: [])
        let answer = RecordRoutes(record, name: "zumod", version: "1")
            .answer(request, at: target, rest: target.segments.dropFirst(2))
        return try #require(answer?.body.joined)
    }
}
