import ByteText
import Exchanges
import HTTPModel
import JSONText
import Scalars
import ZumoProtocol

/// Answers the page's requests about recorded requests.
struct RequestPages: Sendable {
    let record: PageRecord
    /// The name and version of the server.
    let product: String

    /// - Parameter after: the number of the last request that the page has.
    func list(after: Int) -> HTTPResponse {
        let all = record.exchanges.all
        return .page([
            "isRecording": .boolean(record.isRecording), "last": JSONValue(all.last?.number ?? 0),
            "requests": .array(all.drop { $0.number <= after }.map(Self.json(of:))),
        ])
    }

    /// Starts or stops recording requests.
    func set(by request: HTTPRequest) throws(PageFault) {
        guard let isRecording = (try? JSONReader.parse(request.body))?["isRecording"]?.booleanValue else {
            throw .body("The body has to be a JSON object with isRecording, true or false.")
        }
        record.isRecording = isRecording
    }

    /// Deletes the recorded requests.
    func clear() -> HTTPResponse {
        record.exchanges.removeAll()
        return HTTPResponse(.noContent)
    }

    func archive() -> HTTPResponse {
        let parts = product.split(separator: "-", maxSplits: 1)
        let maker = HARWriter.Product(name: String(parts[0]), version: String(parts.last ?? ""))
        return HARWriter(maker).response(record.exchanges.all)
    }

    func conflicts() -> HTTPResponse {
        .page(["conflicts": .array(record.conflicts.map(\.json))])
    }

    private static func json(of exchange: Exchange) -> JSONValue {
        [
            "number": JSONValue(exchange.number), "at": .string(exchange.start.wireText),
            "method": .string(exchange.method.name),
            "target": .string(String(decoding: exchange.target, as: UTF8.self)),
            "status": JSONValue(exchange.answer?.status.rawValue ?? 0),
            "micros": .integer(Int64(exchange.milliseconds * 1_000)), "table": JSONValue(exchange.table),
            "operation": JSONValue(exchange.operation), "generation": JSONValue(exchange.generation),
            "address": .string(exchange.peer), "request": message(exchange.fields, exchange.body),
            "response": message(exchange.answer?.fields ?? HTTPFields(), exchange.answer?.body ?? RecordedBody([])),
        ]
    }

    private static func message(_ fields: HTTPFields, _ body: RecordedBody) -> JSONValue {
        let text = body.isStreamed ? nil : body.text
        var members = [
            JSONMember("fields", .array(fields.all.map { [.string($0.name), .string($0.value)] })),
            JSONMember("body", JSONValue(text)),
        ]
        if !body.isStreamed, text == nil {
            var digits: [UInt8] = []
            Base64.appendStandard(body.bytes, to: &digits)
            members.append(JSONMember("bodyBase64", .string(String(decoding: digits, as: UTF8.self))))
        }
        members.append(JSONMember("bodyLength", JSONValue(body.length)))
        members.append(JSONMember("isCut", .boolean(!body.isWhole)))
        return .object(members)
    }
}
