import Foundation
public import HTTPModel
public import JSONText
public import TableOperations
import ZumoProtocol

/// The response of a handler.
public struct APIResponse: Sendable {
    /// The status code.
    public var status: HTTPStatus
    /// The header fields. Those that frame a message are ignored, as the server writes them itself.
    public var fields: HTTPFields
    /// The body; not sent with 204, 205 and 304.
    public var body: [UInt8]

    /// Creates a response from its parts.
    public init(_ status: HTTPStatus, fields: HTTPFields = HTTPFields(), body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// A response with a JSON value.
    public static func json(_ value: JSONValue, status: HTTPStatus = .ok) -> APIResponse {
        bytes(value.jsonBytes, type: "application/json; charset=utf-8", status: status)
    }

    /// A response with a row, or a part of one, as JSON.
    public static func json(row record: Record, status: HTTPStatus = .ok) -> APIResponse {
        json(JSONValue(record), status: status)
    }

    /// A response with rows as a JSON array.
    public static func json(rows records: [Record], status: HTTPStatus = .ok) -> APIResponse {
        json(.array(records.map { JSONValue($0) }), status: status)
    }

    /// A response with a value of your own type, encoded as JSON.
    public static func encoded(_ value: some Encodable, status: HTTPStatus = .ok) throws -> APIResponse {
        bytes(Array(try JSONEncoder().encode(value)), type: "application/json; charset=utf-8", status: status)
    }

    /// A response with plain text.
    public static func text(_ text: String, status: HTTPStatus = .ok) -> APIResponse {
        bytes(Array(text.utf8), type: "text/plain; charset=utf-8", status: status)
    }

    /// A response with bytes of any media type.
    public static func bytes(_ body: [UInt8], type: String, status: HTTPStatus = .ok) -> APIResponse {
        var fields = HTTPFields()
        fields.append("Content-Type", type)
        return APIResponse(status, fields: fields, body: body)
    }

    /// A response without a body.
    public static func empty(_ status: HTTPStatus = .noContent) -> APIResponse {
        APIResponse(status)
    }

    /// Returns the same response with one more header field.
    public func adding(_ name: HTTPFieldName, _ value: String) -> APIResponse {
        var response = self
        response.fields.append(named: name, value)
        return response
    }

    /// The response as sent: not to be cached unless the handler says otherwise, as on the original servers.
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
