import ByteText
import HTTPModel
public import JSONText
import Scalars

// Exchanges as JSON, in the words of this server.
extension JSONWriter {
    /// Appends an exchange.
    public mutating func exchange(_ exchange: Exchange) {
        let request: JSONValue = ["headers": JSONValue(pairs: exchange.fields.all), "body": JSONValue(exchange.body)]
        let response: JSONValue? = exchange.answer.map { answer in
            [
                "status": .integer(Int64(answer.status.rawValue)), "headers": JSONValue(pairs: answer.fields.all),
                "body": JSONValue(answer.body),
            ]
        }
        value([
            "number": .integer(Int64(exchange.number)), "id": .string(exchange.id),
            "start": .string(exchange.start.wireText), "milliseconds": .number(exchange.milliseconds),
            "peer": .string(exchange.peer), "method": .string(exchange.method.name),
            "target": .string(String(decoding: exchange.target, as: UTF8.self)),
            "table": exchange.table.map(JSONValue.string) ?? .null,
            "fault": exchange.fault.map(JSONValue.string) ?? .null, "request": request, "response": response ?? .null,
        ])
    }

    /// Appends bytes in Base64, without quotes.
    mutating func base64(_ bytes: [UInt8]) {
        building { Base64.appendStandard(bytes, to: &$0) }
    }
}

extension Exchange {
    /// How long it took.
    public var milliseconds: Double { max(duration / .milliseconds(1), 0) }
}

extension JSONValue {
    /// Names and values in their order.
    init(pairs: some Sequence<(name: String, value: String)>) {
        self = .array(pairs.map { ["name": .string($0.name), "value": .string($0.value)] })
    }

    /// `{"bytes":…}` with `text` or `base64`, and a mark where something is missing.
    fileprivate init(_ body: RecordedBody) {
        let text = body.isStreamed ? nil : body.text
        self = .object(known: [
            "bytes": body.length.map { .integer(Int64($0)) } ?? .null, "streamed": body.isStreamed ? true : nil,
            "text": text.map(JSONValue.string), "base64": body.isStreamed || text != nil ? nil : body.base64,
            "cut": body.isCut ? true : nil,
        ])
    }
}

extension RecordedBody {
    /// What is kept, in Base64.
    var base64: JSONValue {
        var text: [UInt8] = []
        Base64.appendStandard(bytes, to: &text)
        return .string(String(decoding: text, as: UTF8.self))
    }
}
