import ByteText
import HTTPModel
public import JSONText
import Scalars

// Exchanges as JSON, in this server's own format.
extension JSONWriter {
    /// Appends an exchange.
    public mutating func exchange(_ exchange: Exchange) {
        raw("{\"number\":")
        integer(Int64(exchange.number))
        raw(",\"id\":")
        string(exchange.id)
        raw(",\"start\":\"")
        building { exchange.start.append(to: &$0) }
        raw("\",\"milliseconds\":")
        number(exchange.milliseconds)
        raw(",\"peer\":")
        string(exchange.peer)
        raw(",\"method\":")
        string(exchange.method.name)
        raw(",\"target\":")
        string(String(decoding: exchange.target, as: UTF8.self))
        raw(",\"table\":")
        optional(exchange.table)
        raw(",\"fault\":")
        optional(exchange.fault)
        raw(",\"request\":{\"headers\":")
        headers(exchange.fields)
        raw(",\"body\":")
        body(exchange.body)
        raw("},\"response\":")
        if let answer = exchange.answer {
            raw("{\"status\":")
            integer(Int64(answer.status.rawValue))
            raw(",\"headers\":")
            headers(answer.fields)
            raw(",\"body\":")
            body(answer.body)
            raw("}")
        } else {
            raw("null")
        }
        raw("}")
    }

    private mutating func optional(_ text: String?) {
        if let text { string(text) } else { raw("null") }
    }

    private mutating func headers(_ fields: HTTPFields) {
        raw("[")
        for (index, field) in fields.all.enumerated() {
            if index > 0 { raw(",") }
            raw("{\"name\":")
            string(field.name)
            raw(",\"value\":")
            string(field.value)
            raw("}")
        }
        raw("]")
    }

    /// Appends `{"bytes":…}` with `text` or `base64`, and a mark if part of the body is missing.
    private mutating func body(_ body: RecordedBody) {
        raw("{\"bytes\":")
        if let length = body.length { integer(Int64(length)) } else { raw("null") }
        if body.isStreamed {
            raw(",\"streamed\":true")
        } else if let text = body.text {
            raw(",\"text\":")
            string(text)
        } else {
            raw(",\"base64\":\"")
            base64(body.bytes)
            raw("\"")
        }
        if body.isCut { raw(",\"cut\":true") }
        raw("}")
    }

    /// Appends bytes in Base64, without quotes.
    mutating func base64(_ bytes: [UInt8]) {
        building { Base64.appendStandard(bytes, to: &$0) }
    }
}

extension Exchange {
    /// The duration in milliseconds.
    public var milliseconds: Double { max(duration / .milliseconds(1), 0) }
}
