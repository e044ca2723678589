/// A status code with its standard reason phrase, which some client SDKs show as the error text.
public enum HTTPStatus: Int, Sendable {
    case ok = 200, created = 201, noContent = 204
    case found = 302
    case badRequest = 400, unauthorized = 401, notFound = 404, methodNotAllowed = 405, requestTimeout = 408,
        conflict = 409, preconditionFailed = 412, contentTooLarge = 413, uriTooLong = 414, unsupportedMediaType = 415,
        expectationFailed = 417, tooManyRequests = 429, fieldsTooLarge = 431
    case internalServerError = 500, notImplemented = 501, serviceUnavailable = 503, versionNotSupported = 505,
        insufficientStorage = 507

    /// The phrase of RFC 9110 and its extensions.
    public var reasonPhrase: String {
        switch self {
        case .ok: "OK"
        case .created: "Created"
        case .noContent: "No Content"
        case .found: "Found"
        case .badRequest: "Bad Request"
        case .unauthorized: "Unauthorized"
        case .notFound: "Not Found"
        case .methodNotAllowed: "Method Not Allowed"
        case .requestTimeout: "Request Timeout"
        case .conflict: "Conflict"
        case .preconditionFailed: "Precondition Failed"
        case .contentTooLarge: "Content Too Large"
        case .uriTooLong: "URI Too Long"
        case .unsupportedMediaType: "Unsupported Media Type"
        case .expectationFailed: "Expectation Failed"
        case .tooManyRequests: "Too Many Requests"
        case .fieldsTooLarge: "Request Header Fields Too Large"
        case .internalServerError: "Internal Server Error"
        case .notImplemented: "Not Implemented"
        case .serviceUnavailable: "Service Unavailable"
        case .versionNotSupported: "HTTP Version Not Supported"
        case .insufficientStorage: "Insufficient Storage"
        }
    }
}
