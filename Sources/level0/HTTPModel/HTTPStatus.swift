/// A status code of a final response, with its standard reason phrase, which some client SDKs show as the error text.
public struct HTTPStatus: Sendable, Hashable {
    /// 200 to 599.
    public let rawValue: Int

    /// - Returns: nil if the code isn't that of a final response.
    public init?(rawValue: Int) {
        guard (200...599).contains(rawValue) else { return nil }
        self.rawValue = rawValue
    }

    private init(_ code: Int) {
        rawValue = code
    }

    /// The phrase of RFC 9110 and its extensions; empty for unregistered codes.
    public var reasonPhrase: String {
        switch rawValue {
        case 200: "OK"
        case 201: "Created"
        case 202: "Accepted"
        case 203: "Non-Authoritative Information"
        case 204: "No Content"
        case 205: "Reset Content"
        case 206: "Partial Content"
        case 300: "Multiple Choices"
        case 301: "Moved Permanently"
        case 302: "Found"
        case 303: "See Other"
        case 304: "Not Modified"
        case 307: "Temporary Redirect"
        case 308: "Permanent Redirect"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 402: "Payment Required"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 406: "Not Acceptable"
        case 408: "Request Timeout"
        case 409: "Conflict"
        case 410: "Gone"
        case 411: "Length Required"
        case 412: "Precondition Failed"
        case 413: "Content Too Large"
        case 414: "URI Too Long"
        case 415: "Unsupported Media Type"
        case 416: "Range Not Satisfiable"
        case 417: "Expectation Failed"
        case 421: "Misdirected Request"
        case 422: "Unprocessable Content"
        case 423: "Locked"
        case 424: "Failed Dependency"
        case 426: "Upgrade Required"
        case 428: "Precondition Required"
        case 429: "Too Many Requests"
        case 431: "Request Header Fields Too Large"
        case 451: "Unavailable For Legal Reasons"
        case 500: "Internal Server Error"
        case 501: "Not Implemented"
        case 502: "Bad Gateway"
        case 503: "Service Unavailable"
        case 504: "Gateway Timeout"
        case 505: "HTTP Version Not Supported"
        case 507: "Insufficient Storage"
        default: ""
        }
    }
}

// The codes that the server itself uses, and those that handlers often need.
extension HTTPStatus {
    /// 200 OK.
    public static var ok: HTTPStatus { HTTPStatus(200) }
    /// 201 Created.
    public static var created: HTTPStatus { HTTPStatus(201) }
    /// 202 Accepted.
    public static var accepted: HTTPStatus { HTTPStatus(202) }
    /// 204 No Content.
    public static var noContent: HTTPStatus { HTTPStatus(204) }
    /// 302 Found.
    public static var found: HTTPStatus { HTTPStatus(302) }
    /// 303 See Other.
    public static var seeOther: HTTPStatus { HTTPStatus(303) }
    /// 304 Not Modified.
    public static var notModified: HTTPStatus { HTTPStatus(304) }
    /// 400 Bad Request.
    public static var badRequest: HTTPStatus { HTTPStatus(400) }
    /// 401 Unauthorized.
    public static var unauthorized: HTTPStatus { HTTPStatus(401) }
    /// 403 Forbidden.
    public static var forbidden: HTTPStatus { HTTPStatus(403) }
    /// 404 Not Found.
    public static var notFound: HTTPStatus { HTTPStatus(404) }
    /// 405 Method Not Allowed.
    public static var methodNotAllowed: HTTPStatus { HTTPStatus(405) }
    /// 408 Request Timeout.
    public static var requestTimeout: HTTPStatus { HTTPStatus(408) }
    /// 409 Conflict.
    public static var conflict: HTTPStatus { HTTPStatus(409) }
    /// 410 Gone.
    public static var gone: HTTPStatus { HTTPStatus(410) }
    /// 412 Precondition Failed.
    public static var preconditionFailed: HTTPStatus { HTTPStatus(412) }
    /// 413 Content Too Large.
    public static var contentTooLarge: HTTPStatus { HTTPStatus(413) }
    /// 414 URI Too Long.
    public static var uriTooLong: HTTPStatus { HTTPStatus(414) }
    /// 415 Unsupported Media Type.
    public static var unsupportedMediaType: HTTPStatus { HTTPStatus(415) }
    /// 417 Expectation Failed.
    public static var expectationFailed: HTTPStatus { HTTPStatus(417) }
    /// 422 Unprocessable Content.
    public static var unprocessableContent: HTTPStatus { HTTPStatus(422) }
    /// 428 Precondition Required.
    public static var preconditionRequired: HTTPStatus { HTTPStatus(428) }
    /// 429 Too Many Requests.
    public static var tooManyRequests: HTTPStatus { HTTPStatus(429) }
    /// 431 Request Header Fields Too Large.
    public static var fieldsTooLarge: HTTPStatus { HTTPStatus(431) }
    /// 500 Internal Server Error.
    public static var internalServerError: HTTPStatus { HTTPStatus(500) }
    /// 501 Not Implemented.
    public static var notImplemented: HTTPStatus { HTTPStatus(501) }
    /// 503 Service Unavailable.
    public static var serviceUnavailable: HTTPStatus { HTTPStatus(503) }
    /// 505 HTTP Version Not Supported.
    public static var versionNotSupported: HTTPStatus { HTTPStatus(505) }
    /// 507 Insufficient Storage.
    public static var insufficientStorage: HTTPStatus { HTTPStatus(507) }
}
