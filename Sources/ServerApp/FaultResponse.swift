import HTTPModel
import ZumoProtocol

/// The answers to requests that reach no router.
enum FaultResponse {
    static func unknownPath(in generation: Generation) -> HTTPResponse {
        let sentence =
            switch generation {
            case .v1: "Not Found"
            case .v2, .v3: "There is nothing at this path; rows are at /tables/NAME and /tables/NAME/ID."
            }
        return make(.notFound, sentence, generation)
    }

    static func noLogins(in generation: Generation) -> HTTPResponse {
        make(.notFound, "This server has no logins: auth.signingKey and auth.providers are not set.", generation)
    }

    static func make(_ fault: RequestTarget.Fault, in generation: Generation) -> HTTPResponse {
        switch fault {
        case .notAPath: make(.badRequest, "The request target is neither a path nor an http URL.", generation)
        case .percentEncoding:
            make(.badRequest, "The URL has a % that two hexadecimal digits don't follow.", generation)
        case .encoding: make(.badRequest, "The URL is not UTF-8 once it is decoded.", generation)
        }
    }

    static func make(_ fault: HTTPFault, in generation: Generation) -> HTTPResponse {
        make(fault.status, sentence(for: fault), generation)
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

    private static func make(
        _ status: HTTPStatus, _ sentence: String, _ generation: Generation
    ) -> HTTPResponse {
        ErrorBody.response(status, sentence, in: generation)
    }
}
