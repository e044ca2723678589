import Exchanges
import HTTPModel
import JSONText
import Scalars

@testable import TestMode

/// Exchanges as a server would have had them.
enum Samples {
    static func request(
        _ method: String, _ target: String, _ fields: [(HTTPFieldName, String)] = [], _ body: String = ""
    ) -> HTTPRequest {
        HTTPRequest(
            method: HTTPMethod(method), target: Array(target.utf8), fields: Self.fields(fields), body: Array(body.utf8),
            peer: "127.0.0.1")
    }

    static func fields(_ fields: [(HTTPFieldName, String)]) -> HTTPFields {
        var all = HTTPFields()
        for (name, value) in fields { all.append(named: name, value) }
        return all
    }

    static func answer(_ code: Int, _ body: String = "", _ fields: [(HTTPFieldName, String)] = []) -> HTTPResponse {
        var all = Self.fields([("Content-Type", "application/json; charset=utf-8")])
        for (name, value) in fields { all.append(named: name, value) }
        return HTTPResponse(HTTPStatus(rawValue: code) ?? .ok, fields: all, body: Array(body.utf8))
    }

    static func exchange(
        _ method: String, _ target: String, _ fields: [(HTTPFieldName, String)] = [], _ body: String = "",
        answer: HTTPResponse? = answer(200), fault: String? = nil, start: Int64 = 0
    ) -> Exchange {
        Exchange(
            request(method, target, fields, body), id: "id-1", start: Instant(milliseconds: start),
            duration: .milliseconds(2), answer: answer, fault: fault)
    }

    /// A record of these.
    static func record(_ exchanges: [Exchange]) -> ExchangeRecord {
        let record = ExchangeRecord()
        for exchange in exchanges { record.append(exchange) }
        return record
    }

    /// Asks about a record.
    static func ask(
        _ record: ExchangeRecord, _ method: String, _ path: String, _ body: String = ""
    ) throws -> (code: Int, text: String, json: JSONValue?, fields: HTTPFields)? {
        let target = try RequestTarget(Array("/_test/requests\(path)".utf8))
        let response = RecordRoutes(record, name: "zumod", version: "1.2.3")
            .answer(request(method, "/_test/requests\(path)", [], body), at: target, rest: target.segments.dropFirst(2))
        guard let response, let bytes = response.body.joined else { return nil }
        return (
            response.status.rawValue, String(decoding: bytes, as: UTF8.self), try? JSONReader.parse(bytes),
            response.fields
        )
    }
}
