public import HTTPModel
import JSONText
import Scalars

/// Writes exchanges as an HTTP archive (HAR 1.2), which browsers and proxies read. Extensions begin with an underscore,
/// as the format requires.
public struct HARWriter: Sendable {
    /// The program that made the document.
    public struct Product: Sendable {
        /// The program's name.
        public let name: String
        /// The program's version.
        public let version: String

        /// Creates a product.
        public init(name: String, version: String) {
            self.name = name
            self.version = version
        }
    }

    private let product: Product

    /// Creates a writer of archives that name a product.
    public init(_ product: Product) {
        self.product = product
    }

    /// Returns the archive as a download.
    public func response(_ exchanges: [Exchange]) -> HTTPResponse {
        var response = HTTPResponse(.ok, body: document(exchanges))
        response.fields.append("Content-Type", "application/json; charset=utf-8")
        response.fields.append("Cache-Control", "no-store")
        response.fields.append("Content-Disposition", "attachment; filename=\"\(product.name)-requests.har\"")
        return response
    }

    private func document(_ exchanges: [Exchange]) -> [UInt8] {
        var json = JSONWriter(capacity: 2_048 * exchanges.count + 256)
        json.raw("{\"log\":{\"version\":\"1.2\",\"creator\":{\"name\":")
        json.string(product.name)
        json.raw(",\"version\":")
        json.string(product.version)
        json.raw("},\"entries\":[")
        for (index, exchange) in exchanges.enumerated() {
            if index > 0 { json.raw(",") }
            entry(exchange, into: &json)
        }
        json.raw("]}}")
        return json.bytes
    }

    private func entry(_ exchange: Exchange, into json: inout JSONWriter) {
        json.raw("{\"startedDateTime\":\"")
        json.building { exchange.start.append(to: &$0) }
        json.raw("\",\"time\":")
        json.number(exchange.milliseconds)
        json.raw(",\"request\":")
        request(exchange, into: &json)
        json.raw(",\"response\":")
        if let answer = exchange.answer {
            response(answer, into: &json)
        } else {
            // In the way that browsers write requests without an answer.
            json.raw("{\"status\":0,\"statusText\":\"\",\"httpVersion\":\"HTTP/1.1\",\"cookies\":[],\"headers\":[],")
            json.raw("\"content\":{\"size\":0,\"mimeType\":\"x-unknown\"},\"redirectURL\":\"\",\"headersSize\":-1,")
            json.raw("\"bodySize\":-1,\"_error\":\"no answer was sent\"}")
        }
        json.raw(",\"cache\":{},\"timings\":{\"send\":0,\"wait\":")
        json.number(exchange.milliseconds)
        json.raw(",\"receive\":0},\"_number\":")
        json.integer(Int64(exchange.number))
        json.raw(",\"_requestId\":")
        json.string(exchange.id)
        json.raw(",\"_peer\":")
        json.string(exchange.peer)
        if let fault = exchange.fault {
            json.raw(",\"_fault\":")
            json.string(fault)
        }
        json.raw("}")
    }

    private func request(_ exchange: Exchange, into json: inout JSONWriter) {
        json.raw("{\"method\":")
        json.string(exchange.method.name)
        json.raw(",\"url\":")
        json.string(Self.url(of: exchange))
        json.raw(",\"httpVersion\":\"HTTP/1.1\",\"cookies\":")
        let pairs = exchange.fields.values("Cookie").flatMap { $0.split(separator: ";") }
        cookies(pairs, into: &json)
        json.raw(",\"headers\":")
        headers(exchange.fields, into: &json)
        json.raw(",\"queryString\":[")
        let query = (try? RequestTarget(exchange.target))?.query ?? []
        for (index, member) in query.enumerated() {
            if index > 0 { json.raw(",") }
            json.pair(member.name, member.value)
            json.raw("}")
        }
        json.raw("],\"headersSize\":-1,\"bodySize\":")
        json.integer(Int64(exchange.body.length ?? -1))
        if exchange.body.length != 0 {
            json.raw(",\"postData\":{\"mimeType\":")
            json.string(exchange.fields["Content-Type"] ?? "application/octet-stream")
            json.raw(",\"params\":[],\"text\":")
            // The format only defines an encoding for answers.
            text(of: exchange.body, encoding: ",\"_encoding\":\"base64\"", into: &json)
            json.raw("}")
        }
        json.raw("}")
    }

    private func response(_ answer: ExchangeResponse, into json: inout JSONWriter) {
        json.raw("{\"status\":")
        json.integer(Int64(answer.status.rawValue))
        json.raw(",\"statusText\":")
        json.string(answer.status.reasonPhrase)
        json.raw(",\"httpVersion\":\"HTTP/1.1\",\"cookies\":")
        let pairs = answer.fields.values("Set-Cookie").compactMap { $0.split(separator: ";").first }
        cookies(pairs, into: &json)
        json.raw(",\"headers\":")
        headers(answer.fields, into: &json)
        json.raw(",\"content\":{\"size\":")
        json.integer(Int64(answer.body.length ?? -1))
        json.raw(",\"mimeType\":")
        json.string(answer.fields["Content-Type"] ?? "x-unknown")
        if answer.body.isStreamed {
            json.raw(",\"_streamed\":true")
        } else {
            json.raw(",\"text\":")
            text(of: answer.body, encoding: ",\"encoding\":\"base64\"", into: &json)
        }
        json.raw("},\"redirectURL\":")
        json.string(answer.fields["Location"] ?? "")
        json.raw(",\"headersSize\":-1,\"bodySize\":")
        json.integer(Int64(answer.body.length ?? -1))
        json.raw("}")
    }

    private func text(of body: RecordedBody, encoding: StaticString, into json: inout JSONWriter) {
        if let text = body.text {
            json.string(text)
        } else {
            json.raw("\"")
            json.base64(body.bytes)
            json.raw("\"")
            json.raw(encoding)
        }
        if body.isCut { json.raw(",\"_cut\":true") }
    }

    private func headers(_ fields: HTTPFields, into json: inout JSONWriter) {
        json.raw("[")
        for (index, field) in fields.all.enumerated() {
            if index > 0 { json.raw(",") }
            json.pair(field.name, field.value)
            json.raw("}")
        }
        json.raw("]")
    }

    private func cookies(_ pairs: [Substring], into json: inout JSONWriter) {
        json.raw("[")
        for (index, pair) in pairs.enumerated() {
            if index > 0 { json.raw(",") }
            let trimmed = pair.drop { $0 == " " }
            let name = trimmed.prefix { $0 != "=" }
            json.pair(String(name), String(trimmed.dropFirst(name.count + 1)))
            json.raw("}")
        }
        json.raw("]")
    }

    private static func url(of exchange: Exchange) -> String {
        let target = String(decoding: exchange.target, as: UTF8.self)
        guard target.hasPrefix("/") || target.isEmpty else { return target }
        let host = exchange.fields["Host"] ?? "localhost"
        return "\(exchange.isSecured ? "https" : "http")://\(host)\(target.isEmpty ? "/" : target)"
    }
}

extension JSONWriter {
    /// Begins `{"name":…,"value":…`; the caller writes the closing brace.
    fileprivate mutating func pair(_ name: String, _ value: String) {
        raw("{\"name\":")
        string(name)
        raw(",\"value\":")
        string(value)
    }
}
