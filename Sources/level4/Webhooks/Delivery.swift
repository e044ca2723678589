internal import HTTPModel
internal import JSONText
internal import Scalars
internal import TableOperations
internal import Tables

/// A notice ready to be sent.
struct Delivery: Sendable {
    /// Stays the same for all attempts, so that a receiver can recognize a repeated notice.
    let id: String
    let body: [UInt8]
    /// The trace context of the write; nil if it has none.
    let trace: TraceParent?

    init(_ notice: WriteNotice, at now: Instant) {
        id = RandomID.make()
        trace = notice.trace
        var json = JSONWriter(capacity: 512)
        json.raw("{\"delivery\":")
        json.string(id)
        json.raw(",\"at\":")
        json.string(now.wireText)
        json.raw(",\"table\":")
        json.string(notice.table.text)
        json.raw(",\"operation\":")
        json.string(notice.operation.rawValue)
        json.raw(",\"userId\":")
        if let user = notice.userID { json.string(user) } else { json.raw("null") }
        json.raw(",\"row\":")
        notice.row.append(to: &json)
        json.raw("}")
        body = json.bytes
    }

    /// The request that carries the notice.
    func request(to webhook: Webhook, product: String) -> [UInt8] {
        var head = "POST \(webhook.address.target) HTTP/1.1\r\nHost: \(webhook.address.authority)\r\n"
        head += "Content-Type: application/json; charset=utf-8\r\nContent-Length: \(body.count)\r\n"
        head += "User-Agent: \(product)\r\nConnection: close\r\nX-Zumod-Delivery: \(id)\r\n"
        if let trace { head += "traceparent: \(trace.text)\r\n" }
        if let secret = webhook.secret { head += "X-Zumod-Signature: sha256=\(secret.signature(of: body))\r\n" }
        return Array(head.utf8) + Array("\r\n".utf8) + body
    }
}
