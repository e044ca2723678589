package import HTTPModel
package import ZumoProtocol

/// The answers to requests that don't reach a router.
package enum FaultResponse {
    static func make(_ fault: RequestTarget.Fault, in generation: Generation) -> HTTPResponse {
        ErrorBody.response(.badRequest, .requestMalformed, sentence(for: fault), in: generation)
    }

    static func sentence(for fault: RequestTarget.Fault) -> String {
        switch fault {
        case .notAPath: "The request target is neither a path nor an http URL."
        case .percentEncoding: "The URL has a % that two hexadecimal digits don't follow."
        case .encoding: "The URL is not UTF-8 once it is decoded."
        case .nul: "The URL holds a NUL (%00), which no name, id or parameter can have."
        }
    }

    /// Returns the answer to an invalid override of the method.
    package static func make(_ fault: MethodOverrideFault, in generation: Generation) -> HTTPResponse {
        ErrorBody.response(.badRequest, .requestMalformed, sentence(for: fault), in: generation)
    }

    private static func sentence(for fault: MethodOverrideFault) -> String {
        switch fault {
        case .unknown(let name):
            "A POST can't mean '\(ErrorBody.excerpt(name))': a field such as X-HTTP-Method-Override may name GET, POST, PUT, "
                + "PATCH or DELETE. Nothing was done."
        case .ambiguous:
            "The fields X-HTTP-Method-Override, X-HTTP-Method and X-Method-Override name different methods. Nothing was done."
        case .readWithBody: "A POST that means GET by a header field has a body, which a GET has no use for."
        }
    }

    static func make(_ fault: HTTPFault, in generation: Generation) -> HTTPResponse {
        var response = ErrorBody.response(fault.status, code(of: fault), sentence(for: fault), in: generation)
        if fault.status == .serviceUnavailable {
            response.fields.append("Retry-After", String(BusyRetry.seconds()))
        }
        return response
    }

    private static func code(of fault: HTTPFault) -> ErrorCode {
        switch fault {
        case .malformed: .requestMalformed
        case .requestLineTooLong, .fieldsTooLarge, .tooManyFields, .bodyTooLarge: .requestTooLarge
        case .timeout: .requestTimeout
        case .unsupportedVersion, .unsupportedCoding, .unmetExpectation: .requestUnsupported
        case .tooManyConnections, .tooManyConnectionsOfAddress: .tooManyConnections
        case .buffersFull: .serverBusy
        }
    }

    /// Returns the text of the answer, and of the log, for a request that was refused unread.
    static func sentence(for fault: HTTPFault) -> String {
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
        case .tooManyConnectionsOfAddress(let limit):
            "Your address has its most connections to this server, \(limit); close one and try again."
        case .buffersFull: "The server is busy with large requests and answers; try again."
        }
    }
}

extension HTTPFault {
    /// Whether the request is valid except for its size or timing.
    var leavesRequest: Bool {
        switch self {
        case .requestLineTooLong, .fieldsTooLarge, .tooManyFields, .tooManyConnections, .tooManyConnectionsOfAddress,
            .buffersFull:
            true
        default: false
        }
    }
}
