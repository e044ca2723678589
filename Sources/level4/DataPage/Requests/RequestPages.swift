import Exchanges
import HTTPModel
import JSONText
import Scalars
import ZumoProtocol

/// What the page asks about requests.
struct RequestPages: Sendable {
    let record: PageRecord
    /// Name and version of the server.
    let product: String

    /// - Parameter after: the number of the last request that the page has.
    func list(after: Int) -> HTTPResponse {
        let all = record.exchanges.all
        var json = JSONWriter(capacity: 1_024)
        json.raw("{\"isRecording\":")
        json.boolean(record.isRecording)
        json.raw(",\"last\":")
        json.integer(Int64(all.last?.number ?? 0))
        json.raw(",\"requests\":[")
        for (index, exchange) in all.drop(while: { $0.number <= after }).enumerated() {
            if index > 0 { json.raw(",") }
            Self.write(exchange, to: &json)
        }
        json.raw("]}")
        return .page(json.bytes)
    }

    /// Begins or ends to keep requests.
    func set(by request: HTTPRequest) throws(PageFault) {
        guard let isRecording = (try? JSONReader.parse(request.body))?["isRecording"]?.booleanValue else {
            throw .body("The body has to be a JSON object with isRecording, true or false.")
        }
        record.isRecording = isRecording
    }

    /// Forgets what was kept of requests.
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
        var json = JSONWriter(capacity: 1_024)
        json.raw("{\"conflicts\":[")
        for (index, conflict) in record.conflicts.enumerated() {
            if index > 0 { json.raw(",") }
            conflict.write(to: &json)
        }
        json.raw("]}")
        return .page(json.bytes)
    }

    private static func write(_ exchange: Exchange, to json: inout JSONWriter) {
        json.raw("{\"number\":")
        json.integer(Int64(exchange.number))
        json.raw(",\"at\":")
        json.string(exchange.start.wireText)
        json.raw(",\"method\":")
        json.string(exchange.method.name)
        json.raw(",\"target\":")
        json.string(String(decoding: exchange.target, as: UTF8.self))
        json.raw(",\"status\":")
        json.integer(Int64(exchange.answer?.status.rawValue ?? 0))
        json.raw(",\"micros\":")
        json.integer(Int64(exchange.milliseconds * 1_000))
        json.raw(",\"table\":")
        json.value(exchange.table.map { .string($0) } ?? .null)
        json.raw(",\"operation\":")
        json.value(exchange.operation.map { .string($0) } ?? .null)
        json.raw(",\"generation\":")
        json.value(exchange.generation.map { .string($0) } ?? .null)
        json.raw(",\"address\":")
        json.string(exchange.peer)
        json.raw(",\"request\":")
        message(exchange.fields, exchange.body, to: &json)
        json.raw(",\"response\":")
        message(exchange.answer?.fields ?? HTTPFields(), exchange.answer?.body ?? RecordedBody([]), to: &json)
        json.raw("}")
    }

    private static func message(_ fields: HTTPFields, _ body: RecordedBody, to json: inout JSONWriter) {
        json.raw("{\"fields\":[")
        for (index, field) in fields.all.enumerated() {
            json.raw(index > 0 ? ",[" : "[")
            json.string(field.name)
            json.raw(",")
            json.string(field.value)
            json.raw("]")
        }
        json.raw("],\"body\":")
        if let text = body.text, !body.isStreamed {
            json.string(text)
        } else {
            json.raw("null")
            if !body.isStreamed {
                json.raw(",\"bodyBase64\":\"")
                json.base64(body.bytes)
                json.raw("\"")
            }
        }
        json.raw(",\"bodyLength\":")
        json.value(body.length.map { .integer(Int64($0)) } ?? .null)
        json.raw(",\"isCut\":")
        json.boolean(!body.isWhole)
        json.raw("}")
    }
}
