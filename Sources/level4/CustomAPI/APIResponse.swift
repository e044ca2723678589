import Foundation
public import HTTPModel
public import JSONText
public import TableOperations
import ZumoProtocol

/// The answer of a handler.
public struct APIResponse: Sendable {
    /// The status code.
    public var status: HTTPStatus
    /// The header fields. Those that frame a message are written by the server, and ignored here.
    public var fields: HTTPFields
    /// The body; left out with 204, 205 and 304.
    public var body: [UInt8]

    /// An answer of these parts.
    public init(_ status: HTTPStatus, fields: HTTPFields = HTTPFields(), body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// JSON, written in code or built.
    public static func json(_ value: JSONValue, status: HTTPStatus = .ok) -> APIResponse {
        bytes(value.jsonBytes, type: "application/json; charset=utf-8", status: status)
    }

    /// A row, or a part of one.
    public static func json(row record: Record, status: HTTPStatus = .ok) -> APIResponse {
        json(JSONValue(record), status: status)
    }

    /// Rows as an array.
    public static func json(rows records: [Record], status: HTTPStatus = .ok) -> APIResponse {
        json(.array(records.map { JSONValue($0) }), status: status)
    }

    /// A value of a type of your own, as JSON.
    public static func encoded(_ value: some Encodable, status: HTTPStatus = .ok) throws -> APIResponse {
        bytes(Array(try JSONEncoder().encode(value)), type: "application/json; charset=utf-8", status: status)
    }

    /// Plain text.
    public static func text(_ text: String, status: HTTPStatus = .ok) -> APIResponse {
        bytes(Array(text.utf8), type: "text/plain; charset=utf-8", status: status)
    }

    /// Bytes of any type.
    public static func bytes(_ body: [UInt8], type: String, status: HTTPStatus = .ok) -> APIResponse {
        var fields = HTTPFields()
        fields.append("Content-Type", type)
        return APIResponse(status, fields: fields, body: body)
    }

    /// No body.
    public static func empty(_ status: HTTPStatus = .noContent) -> APIResponse {
        APIResponse(status)
    }

    /// The same response with one more header field.
    public func adding(_ name: HTTPFieldName, _ value: String) -> APIResponse {
        var response = self
        response.fields.append(named: name, value)
        return response
    }

    /// What goes over the wire: never cached unless the handler says otherwise, as the servers' answers were.
    var http: HTTPResponse {
        var sent = HTTPFields()
        for (name, value) in fields.all {
            guard let name = HTTPFieldName(name), !name.framesMessages else { continue }
            sent.append(named: name, value)
        }
        if !sent.contains("Cache-Control") { sent.append("Cache-Control", "no-cache") }
        let hasBody = ![204, 205, 304].contains(status.rawValue)
        var response = HTTPResponse(status, fields: sent, body: hasBody ? body : [])
        response.confineDocument()
        return response
    }
}
