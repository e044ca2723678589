/// A request as a client library writes it: the target is already encoded, the fields are in the library's order.
public struct ClientRequest: Sendable {
    /// The verbs that client libraries use on tables.
    public enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
        case patch = "PATCH"
        case put = "PUT"
        case delete = "DELETE"
    }

    /// The verb.
    public let method: Method
    /// Path and query.
    public let target: String
    /// Lines such as `If-Match: "AAAAAAAAB9E="`, without Host and Content-Length.
    public var fields: [String]
    /// JSON, or nothing.
    public let body: String

    init(_ method: Method, _ target: String, fields: [String] = [], body: String = "") {
        self.method = method
        self.target = target
        self.fields = fields
        self.body = body
    }

    /// The same to a server whose base URL has a path; links of the server have it already.
    func below(_ prefix: String) -> ClientRequest {
        prefix.isEmpty || target.hasPrefix(prefix + "/")
            ? self : ClientRequest(method, prefix + target, fields: fields, body: body)
    }

    /// As golden cases write requests: without Host and Content-Length.
    public var text: String {
        let head = (["\(method.rawValue) \(target)"] + fields).joined(separator: "\n")
        return body.isEmpty ? head : head + "\n\n" + body
    }

    /// The bytes as text. A write without a body says so, as every library's HTTP stack does.
    func text(host: String) -> String {
        var lines = ["\(method.rawValue) \(target) HTTP/1.1", "Host: \(host)"] + fields
        switch method {
        case .get, .delete: break
        case .post, .patch, .put: lines.append("Content-Length: \(body.utf8.count)")
        }
        return lines.joined(separator: "\r\n") + "\r\n\r\n" + body
    }
}
