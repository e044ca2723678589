import Exchanges
import HTTPModel
import JSONText
import ZumoProtocol

/// Writes exchanges as a golden case, the format of requests and exact answers in this server's own tests.
///
/// Values that the server generates become placeholders. An exchange that the format can't express is left out, and the
/// top of the case says so.
struct CaseWriter {
    private var captures = CaseCaptures()
    private var blocks: [String] = []
    private var leftOut: [String] = []

    /// How many of the omitted exchanges are named.
    private static let mostNamed = 20

    static func response(_ exchanges: [Exchange], sentence: String) -> HTTPResponse {
        var fields = HTTPFields()
        fields.append("Content-Type", "text/plain; charset=utf-8")
        fields.append("Cache-Control", "no-store")
        return HTTPResponse(.ok, fields: fields, body: Array(text(exchanges, sentence: sentence).utf8))
    }

    /// - Parameter sentence: what the case shows.
    static func text(_ exchanges: [Exchange], sentence: String) -> String {
        var writer = CaseWriter()
        for exchange in exchanges { writer.add(exchange) }
        var head = ["# " + word(sentence)]
        head += writer.leftOut.prefix(mostNamed).map { "# Left out: \($0)." }
        if writer.leftOut.count > mostNamed { head.append("# Left out: \(writer.leftOut.count - mostNamed) more.") }
        return head.joined(separator: "\n") + "\n" + writer.blocks.map { "\n>>>\n" + $0 }.joined()
    }

    private mutating func add(_ exchange: Exchange) {
        let name = "request \(exchange.number)"
        if let fault = exchange.fault {
            leftOut.append("\(name), which the fault '\(Self.word(fault))' struck")
            return
        }
        guard let answer = exchange.answer else {
            leftOut.append("\(name), which was not answered")
            return
        }
        guard let request = request(exchange) else {
            leftOut.append("\(name), which is no text that a case can have")
            return
        }
        captures.notice(exchange)
        let json = try? JSONReader.parse(answer.body.bytes)
        captures.take(from: answer, to: exchange, json: json)
        blocks.append(request + "\n<<<" + (self.answer(answer, to: exchange) ?? " \(answer.status.rawValue)\n"))
    }

    /// Returns a text from outside as one line that can't be taken for a mark of the format.
    private static func word(_ text: String) -> String {
        let scalars = text.unicodeScalars.filter { $0 != ">" }.map { $0.value < 32 ? " " : $0 }
        return String(String.UnicodeScalarView(scalars))
    }

    // MARK: - Requests

    /// Fields that the player sends itself, and those that concern only the recorded connection.
    private static let droppedRequestFields: Set<String> = [
        "host", "content-length", "transfer-encoding", "connection", "keep-alive", "proxy-connection", "te", "trailer",
        "upgrade", "expect", "accept-encoding", "x-request-id", "traceparent", "tracestate",
    ]

    /// - Returns: nil if the format can't express the request.
    private func request(_ exchange: Exchange) -> String? {
        guard exchange.body.isWhole, var body = exchange.body.text, !exchange.target.isEmpty,
            exchange.target.allSatisfy({ $0 > 32 && $0 != 127 }),
            let target = String(validating: exchange.target, as: UTF8.self)
        else { return nil }
        // The format drops newlines at the end of a body, which mean nothing in JSON.
        while body.utf8.last == 10, !body.hasSuffix("\r\n") { body.removeLast() }
        var lines = [exchange.method.name + " " + target]
        for field in exchange.fields.all where !Self.droppedRequestFields.contains(field.name.lowercased()) {
            guard Self.isPlain(field.value) else { return nil }
            lines.append("\(field.name): \(field.value)")
        }
        let head = lines.joined(separator: "\n")
        let text = body.isEmpty ? head : head + "\n\n" + body
        guard Self.isSayable(text, isRequest: true) else { return nil }
        return withHost(captures.replaced(in: text, of: exchange), of: exchange)
    }

    // MARK: - Answers

    /// Fields that the player checks itself, and those that concern only the recorded connection.
    private static let droppedAnswerFields: Set<String> = [
        "content-length", "date", "x-content-type-options", "x-request-id", "x-zumo-server-version", "connection",
        "keep-alive", "transfer-encoding",
    ]

    /// The usual values of Vary, which the player ignores.
    private static let usualVariances = ["Origin", "Accept-Encoding", "Origin, Accept-Encoding"]

    /// - Returns: nil if the format can't express the answer exactly.
    private func answer(_ answer: ExchangeResponse, to exchange: Exchange) -> String? {
        // For a body that isn't sent, the record lacks what the connection said.
        guard exchange.method != .head, answer.body.isWhole, let body = answer.body.text, body.utf8.last != 10
        else { return nil }
        var lines = ["\(answer.status.rawValue) \(answer.status.reasonPhrase)"]
        for field in answer.fields.all where !Self.droppedAnswerFields.contains(field.name.lowercased()) {
            if field.name == "Vary", Self.usualVariances.contains(field.value) { continue }
            if field.name == "Cache-Control", field.value == ErrorBody.cacheControl, answer.status.rawValue >= 400 {
                continue
            }
            guard Self.isPlain(field.value) else { return nil }
            lines.append("\(field.name): \(field.value)")
        }
        let text = lines.joined(separator: "\n") + "\n" + (body.isEmpty ? "" : "\n" + Self.withoutCode(body) + "\n")
        guard Self.isSayable(text, isRequest: false) else { return nil }
        let version = answer.fields["ETag"].map { String($0.dropFirst().dropLast()) } ?? "\(exchange.number)"
        return "\n" + withHost(captures.replaced(in: text, of: exchange, version: version), of: exchange)
    }

    /// Removes the code of a failure: the player compares only its text, and other tests check the code.
    private static func withoutCode(_ body: String) -> String {
        guard body.hasPrefix("{\"error\":\""), body.hasSuffix("\"}"),
            ByteSearch("\",\"message\":\"").isFound(in: body.utf8)
        else { return body }
        let code = body.dropLast(2).utf8.reversed().prefix { (97...122).contains($0) || $0 == UInt8(ascii: "-") }
        let rest = body.dropLast(2 + code.count)
        let mark = ",\"code\":\""
        return !code.isEmpty && rest.hasSuffix(mark) ? rest.dropLast(mark.count) + "}" : body
    }

    // MARK: - Texts

    /// Text that the format would take for its own marks.
    private static let marks = [">>>\n", "{version", "{date", "{second", "{uuid", "{token", "{host"].map {
        Array($0.utf8)
    }
    private static let endOfRequest = Array("\n<<<".utf8)

    /// - Parameter isRequest: whether the text is a request, which must not contain the mark that ends one.
    private static func isSayable(_ text: String, isRequest: Bool) -> Bool {
        if text.hasSuffix(">>>") { return false }
        let bytes = Array(text.utf8)
        return bytes.indices.allSatisfy { index in
            switch bytes[index] {
            case UInt8(ascii: "{"), UInt8(ascii: ">"): !marks.contains { bytes[index...].starts(with: $0) }
            case 10: !isRequest || !bytes[index...].starts(with: endOfRequest)
            default: true
            }
        }
    }

    /// Whether a field's value is text on one line. A replacement character shows that it was not valid UTF-8.
    private static func isPlain(_ value: String) -> Bool {
        value.unicodeScalars.allSatisfy { $0.value >= 32 && $0.value != 127 && $0 != "\u{FFFD}" }
    }

    /// Replaces the recorded server's address with a placeholder for the server that the case is played against.
    private func withHost(_ text: String, of exchange: Exchange) -> String {
        guard let host = exchange.fields["Host"], host.contains(where: { $0 == ":" || $0 == "." || $0.isLetter })
        else { return text }
        return text.split(separator: "://\(host)/", omittingEmptySubsequences: false)
            .joined(separator: "://{host}/")
    }
}
