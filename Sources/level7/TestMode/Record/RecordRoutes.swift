import Exchanges
import HTTPModel
import JSONText
import ZumoProtocol

/// Answers what tests ask of a record, at the paths below `requests`.
struct RecordRoutes: Sendable {
    private let record: ExchangeRecord
    private let product: HARWriter.Product

    /// - Parameters:
    ///   - name: of the program, as documents name who made them.
    ///   - version: its version.
    init(_ record: ExchangeRecord, name: String, version: String) {
        self.record = record
        product = HARWriter.Product(name: name, version: version)
    }

    /// Answers a request.
    /// - Parameters:
    ///   - target: the whole target, whose query counts.
    ///   - rest: the path's segments after `requests`.
    /// - Returns: nil if there is nothing at the path. Errors are answers.
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

    /// What a query asks for, without keys, tokens and passwords unless it asks for them too: records go into logs and
    /// issues.
    /// - Parameter extra: the name of a parameter that means something else here.
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
    /// An answer to a test, which is no cache's business.
    static func testJSON(_ status: HTTPStatus, _ value: JSONValue) -> HTTPResponse {
        testJSON(status, value.jsonBytes)
    }

    /// The same by its bytes.
    static func testJSON(_ status: HTTPStatus, _ body: [UInt8]) -> HTTPResponse {
        var response = HTTPResponse.json(body, status)
        response.fields.append("Cache-Control", "no-store")
        return response
    }
}
