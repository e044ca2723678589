public import HTTPModel
import JSONText
import Scalars

/// Writes exchanges as an HTTP archive (HAR 1.2), which browsers and proxies read. Additions to the format have an
/// underscore, as the format requires.
public struct HARWriter: Sendable {
    /// Who made the document.
    public struct Product: Sendable {
        /// The program's name.
        public let name: String
        /// The program's version.
        public let version: String

        /// Names a product.
        public init(name: String, version: String) {
            self.name = name
            self.version = version
        }
    }

    private let product: Product

    /// Makes archives that name a product.
    public init(_ product: Product) {
        self.product = product
    }

    /// The archive, to be kept as a file.
    public func response(_ exchanges: [Exchange]) -> HTTPResponse {
        var response = HTTPResponse.json(document(exchanges))
        response.fields.append("Cache-Control", "no-store")
        response.fields.append("Content-Disposition", "attachment; filename=\"\(product.name)-requests.har\"")
        return response
    }

    private func document(_ exchanges: [Exchange]) -> [UInt8] {
        var json = JSONWriter(capacity: 2_048 * exchanges.count + 256)
        json.raw("{\"log\":{\"version\":\"1.2\",\"creator\":")
        json.value(["name": .string(product.name), "version": .string(product.version)])
        json.raw(",\"entries\":[")
        for (index, exchange) in exchanges.enumerated() {
            if index > 0 { json.raw(",") }
            json.value(Self.entry(exchange))
        }
        json.raw("]}}")
        return json.bytes
    }

    private static func entry(_ exchange: Exchange) -> JSONValue {
        let time = JSONValue.number(exchange.milliseconds)
        return .object(known: [
            "startedDateTime": .string(exchange.start.wireText), "time": time, "request": request(exchange),
            "response": exchange.answer.map(response) ?? unanswered, "cache": [:],
            "timings": ["send": 0, "wait": time, "receive": 0], "_number": .integer(Int64(exchange.number)),
            "_requestId": .string(exchange.id), "_peer": .string(exchange.peer),
            "_fault": exchange.fault.map(JSONValue.string),
        ])
    }

    /// As browsers write what was never answered.
    private static let unanswered: JSONValue = [
        "status": 0, "statusText": "", "httpVersion": "HTTP/1.1", "cookies": [], "headers": [],
        "content": ["size": 0, "mimeType": "x-unknown"], "redirectURL": "", "headersSize": -1, "bodySize": -1,
        "_error": "no answer was sent",
    ]

    private static func request(_ exchange: Exchange) -> JSONValue {
        let query = (try? RequestTarget(exchange.target))?.query ?? []
        let type = exchange.fields["Content-Type"] ?? "application/octet-stream"
        // The format itself has an encoding for answers only.
        let data =
            [JSONMember("mimeType", .string(type)), JSONMember("params", [])]
            + text(of: exchange.body, encoding: "_encoding")
        return .object(known: [
            "method": .string(exchange.method.name), "url": .string(url(of: exchange)), "httpVersion": "HTTP/1.1",
            "cookies": cookies(exchange.fields.values("Cookie").flatMap { $0.split(separator: ";") }),
            "headers": JSONValue(pairs: exchange.fields.all),
            "queryString": JSONValue(pairs: query.map { ($0.name, $0.value) }), "headersSize": -1,
            "bodySize": size(of: exchange.body), "postData": exchange.body.length == 0 ? nil : .object(data),
        ])
    }

    private static func response(_ answer: ExchangeResponse) -> JSONValue {
        let content = [
            JSONMember("size", size(of: answer.body)),
            JSONMember("mimeType", .string(answer.fields["Content-Type"] ?? "x-unknown")),
        ]
        let text =
            answer.body.isStreamed
            ? [JSONMember("_streamed", true)] : text(of: answer.body, encoding: "encoding")
        return [
            "status": .integer(Int64(answer.status.rawValue)), "statusText": .string(answer.status.reasonPhrase),
            "httpVersion": "HTTP/1.1",
            "cookies": cookies(answer.fields.values("Set-Cookie").compactMap { $0.split(separator: ";").first }),
            "headers": JSONValue(pairs: answer.fields.all), "content": .object(content + text),
            "redirectURL": .string(answer.fields["Location"] ?? ""), "headersSize": -1,
            "bodySize": size(of: answer.body),
        ]
    }

    private static func size(of body: RecordedBody) -> JSONValue { .integer(Int64(body.length ?? -1)) }

    private static func text(of body: RecordedBody, encoding: String) -> [JSONMember] {
        let text = body.text.map { [JSONMember("text", .string($0))] }
        return (text ?? [JSONMember("text", body.base64), JSONMember(encoding, "base64")])
            + (body.isCut ? [JSONMember("_cut", true)] : [])
    }

    private static func cookies(_ cookies: [Substring]) -> JSONValue {
        JSONValue(
            pairs: cookies.map { cookie in
                let trimmed = cookie.drop { $0 == " " }
                let name = trimmed.prefix { $0 != "=" }
                return (String(name), String(trimmed.dropFirst(name.count + 1)))
            })
    }

    private static func url(of exchange: Exchange) -> String {
        let target = String(decoding: exchange.target, as: UTF8.self)
        guard target.hasPrefix("/") || target.isEmpty else { return target }
        let host = exchange.fields["Host"] ?? "localhost"
        return "\(exchange.isSecured ? "https" : "http")://\(host)\(target.isEmpty ? "/" : target)"
    }
}
