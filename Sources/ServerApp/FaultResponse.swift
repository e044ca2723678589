import HTTPModel
import ZumoProtocol

/// The answers to requests that reach no router.
enum FaultResponse {
    static var unknownPath: HTTPResponse {
        make(.notFound, "There is nothing at this path; rows are at /tables/NAME and /tables/NAME/ID.")
    }

    static var noLogins: HTTPResponse {
        make(.notFound, "This server has no logins: auth.signingKey and auth.providers are not set.")
    }

    static func make(_ fault: RequestTarget.Fault) -> HTTPResponse {
        switch fault {
        case .notAPath: make(.badRequest, "The request target is neither a path nor an http URL.")
        case .percentEncoding: make(.badRequest, "The URL has a % that two hexadecimal digits don't follow.")
        case .encoding: make(.badRequest, "The URL is not UTF-8 once it is decoded.")
        }
    }

    static func make(_ fault: HTTPFault) -> HTTPResponse {
        make(fault.status, sentence(for: fault))
    }

    private static func sentence(for fault: HTTPFault) -> String {
        switch fault {
        case .malformed(let sentence): "The request is malformed: \(sentence)"
        case .requestLineTooLong(let limit): "The request line is longer than \(limit) bytes."
        case .fieldsTooLarge(let limit): "The header fields are larger than \(limit) bytes together."
        case .tooManyFields(let limit): "The request has more than \(limit) header fields."
        case .bodyTooLarge(let limit): "The body is larger than \(limit) bytes."
        case .timeout: "The request did not arrive in time."
        case .unsupportedVersion: "Only HTTP/1.1 and HTTP/1.0 are spoken here."
        case .unsupportedCoding(let coding): "The transfer coding '\(coding)' is not supported; send chunked or none."
        case .unmetExpectation(let text): "The expectation '\(text)' can't be met."
        case .tooManyConnections(let limit): "The server has its most connections, \(limit); try again."
        }
    }

    private static func make(_ status: HTTPStatus, _ sentence: String) -> HTTPResponse {
        ErrorBody.response(status, sentence, in: .v2)
    }
}
