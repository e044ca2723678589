import Exchanges
import HTTPModel
import JSONText
import ZumoProtocol

/// Writes exchanges as a golden case, the format of requests and exact answers in this server's own tests.
///
/// What the server generates anew each time becomes a placeholder. An exchange that can't be written in the format is
/// left out, and the case says so at the top.
struct CaseWriter {
    private var captures = CaseCaptures()
    private var blocks: [String] = []
    private var leftOut: [String] = []

    /// So many exchanges that are left out are named.
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

    /// A text of somebody's as one line that is no mark of the format.
    private static func word(_ text: String) -> String {
        let scalars = text.unicodeScalars.filter { $0 != ">" }.map { $0.value < 32 ? " " : $0 }
        return String(String.UnicodeScalarView(scalars))
    }

    // MARK: - Requests

    /// What the player says itself, and what is of the recorded connection alone.
    private static let droppedRequestFields: Set<String> = [
        "host", "content-length", "transfer-encoding", "connection", "keep-alive", "proxy-connection", "te", "trailer",
        "upgrade", "expect", "accept-encoding", "x-request-id", "traceparent", "tracestate",
    ]

    /// - Returns: nil for what the format can't say.
    private func request(_ exchange: Exchange) -> String? {
        guard exchange.body.isWhole, var body = exchange.body.text, !exchange.target.isEmpty,
            exchange.target.allSatisfy({ $0 > 32 && $0 != 127 }),
            let target = String(validating: exchange.target, as: UTF8.self)
        else { return nil }
        // The format ends a body before the newlines at its end, which mean nothing in JSON.
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

    /// What the player checks by itself, and what belongs only to the recorded connection.
    private static let droppedAnswerFields: Set<String> = [
        "content-length", "date", "x-content-type-options", "x-request-id", "x-zumo-server-version", "connection",
        "keep-alive", "transfer-encoding",
    ]

    /// What every answer depends on, which the player passes over.
    private static let usualVariances = ["Origin", "Accept-Encoding", "Origin, Accept-Encoding"]

    /// - Returns: nil for what the format can't say exactly.
    private func answer(_ answer: ExchangeResponse, to exchange: Exchange) -> String? {
        // Of a body that is not sent nobody knows what the connection says.
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

    /// The player compares a failure's text and leaves its code to other tests.
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

    /// What the format would take for its own marks.
    private static let marks = [">>>\n", "{version", "{date", "{second", "{uuid", "{token", "{host"].map {
        Array($0.utf8)
    }
    private static let endOfRequest = Array("\n<<<".utf8)

    /// - Parameter isRequest: whether the text has to continue up to the mark of the answer.
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

    /// Whether a field's value is text in one line; what was no UTF-8 has the mark of that.
    private static func isPlain(_ value: String) -> Bool {
        value.unicodeScalars.allSatisfy { $0.value >= 32 && $0.value != 127 && $0 != "\u{FFFD}" }
    }

    /// Replaces addresses of the recorded server with those of the one that the case is played against.
    private func withHost(_ text: String, of exchange: Exchange) -> String {
        guard let host = exchange.fields["Host"], host.contains(where: { $0 == ":" || $0 == "." || $0.isLetter })
        else { return text }
        return text.split(separator: "://\(host)/", omittingEmptySubsequences: false)
            .joined(separator: "://{host}/")
    }
}
