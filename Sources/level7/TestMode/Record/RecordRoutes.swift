import Exchanges
import HTTPModel
import JSONText
import ZumoProtocol

/// Answers requests about a record, at the paths below `requests`.
struct RecordRoutes: Sendable {
    private let record: ExchangeRecord
    private let product: HARWriter.Product

    /// - Parameters:
    ///   - name: the name of the program, which documents give as their creator.
    ///   - version: its version.
    init(_ record: ExchangeRecord, name: String, version: String) {
        self.record = record
        product = HARWriter.Product(name: name, version: version)
    }

    /// Answers a request.
    /// - Parameters:
    ///   - target: the request's target, including the query.
    ///   - rest: the path's segments after `requests`.
    /// - Returns: nil if there is nothing at that path. Errors become responses.
    func answer(
        _ request: HTTPRequest, at target: RequestTarget, rest: some Collection<String>
    ) -> HTTPResponse? {
        guard rest.count <= 1 else { return nil }
        do throws(RecordFault) {
            return try answer(request, target.query, about: rest.first)
        } catch {
            return error.response
        }
    }

    private func answer(
        _ request: HTTPRequest, _ query: [QueryMember], about name: String?
    ) throws(RecordFault) -> HTTPResponse? {
        switch name {
        case nil:
            if request.method == .delete {
                record.removeAll()
                return HTTPResponse(.noContent)
            }
            try Self.refuse(request, but: [.get, .head], allow: "GET, HEAD, DELETE")
            return list(try found(query))
        case "count":
            try Self.refuse(request)
            let count = record.matching(try ExchangeFilter(query)).count
            return .testJSON(.ok, ["count": JSONValue(count)])
        case "verify":
            try Self.refuse(request, but: [.post], allow: "POST")
            return ExpectationResult(of: try Expectation(request.body), in: record.all).response
        case "har":
            try Self.refuse(request)
            return HARWriter(product).response(try found(query))
        case "case":
            try Self.refuse(request)
            let exchanges = try found(query, besides: "sentence")
            let sentence = query.last { $0.name == "sentence" }?.value ?? "As \(product.name) recorded it."
            return CaseWriter.response(exchanges, sentence: sentence)
        case let name?:
            guard let number = Int(name) else { return nil }
            try Self.refuse(request)
            guard let exchange = record.exchange(number) else { throw .unknownRequest(name) }
            var json = JSONWriter()
            json.exchange(try Self.isRedacted(query) ? Redaction.redacted(exchange) : exchange)
            return .testJSON(.ok, json.bytes)
        }
    }

    /// Returns the exchanges that a query asks for, without keys, tokens and passwords unless it asks for those too:
    /// records end up in logs and issues.
    /// - Parameter extra: a parameter that the caller uses for something else.
    private func found(_ query: [QueryMember], besides extra: String = "redact") throws(RecordFault) -> [Exchange] {
        let exchanges = record.matching(try ExchangeFilter(query, besides: [extra, "redact"]))
        return try Self.isRedacted(query) ? exchanges.map(Redaction.redacted) : exchanges
    }

    private func list(_ exchanges: [Exchange]) -> HTTPResponse {
        var json = JSONWriter(capacity: 1_024 * exchanges.count + 64)
        json.raw("{\"count\":")
        json.integer(Int64(exchanges.count))
        json.raw(",\"forgotten\":")
        json.integer(Int64(record.forgotten))
        json.raw(",\"requests\":[")
        for (index, exchange) in exchanges.enumerated() {
            if index > 0 { json.raw(",") }
            json.exchange(exchange)
        }
        json.raw("]}")
        return .testJSON(.ok, json.bytes)
    }

    private static func refuse(
        _ request: HTTPRequest, but methods: Set<HTTPMethod> = [.get, .head], allow: String = "GET, HEAD"
    ) throws(RecordFault) {
        guard methods.contains(request.method) else { throw .method(allow: allow) }
    }

    private static func isRedacted(_ query: [QueryMember]) throws(RecordFault) -> Bool {
        switch query.last(where: { $0.name == "redact" })?.value {
        case nil, "true": true
        case "false": false
        case let value?: throw .query("'redact' has to be true or false, and is '\(ErrorBody.excerpt(value))'.")
        }
    }
}

extension HTTPResponse {
    /// A JSON response to a test, which must not be cached.
    static func testJSON(_ status: HTTPStatus, _ value: JSONValue) -> HTTPResponse {
        testJSON(status, value.jsonBytes)
    }

    /// A response with a body that is already encoded.
    static func testJSON(_ status: HTTPStatus, _ body: [UInt8]) -> HTTPResponse {
        var response = HTTPResponse.json(body, status)
        response.fields.append("Cache-Control", "no-store")
        return response
    }
}
