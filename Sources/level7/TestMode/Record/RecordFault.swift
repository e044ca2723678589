import HTTPModel
import JSONText
import ZumoProtocol

/// What can be wrong with a question about the record, or with a document to replay.
enum RecordFault: Error, Sendable, Equatable {
    /// A parameter of the query.
    case query(String)
    /// The body is no JSON.
    case json(JSONErrorPlace)
    /// The body is JSON, but not what is wanted.
    case body(String)
    case unknownRequest(String)
    /// What is asked about doesn't exist; the sentence says so.
    case unknown(String)
    /// The path can be asked by these methods only.
    case method(allow: String)

    /// Where a body stops being JSON, and why.
    struct JSONErrorPlace: Sendable, Equatable {
        let offset: Int
        let words: String

        init(_ error: JSONError) {
            offset = error.offset
            words = error.reason.words
        }
    }

    /// The response for the client.
    var response: HTTPResponse {
        switch self {
        case .query(let text): ErrorResponse(.badRequest, .queryInvalid, text).response(in: .v2)
        case .json(let place):
            ErrorResponse(
                .badRequest, .bodyMalformed, "The body is not valid JSON: \(place.words) at byte \(place.offset)."
            ).response(in: .v2)
        case .body(let text): ErrorResponse(.badRequest, .bodyMalformed, text).response(in: .v2)
        case .unknownRequest(let text):
            ErrorResponse(.notFound, .requestUnknown, "The record has no request '\(ErrorBody.excerpt(text))'.")
                .response(in: .v2)
        case .unknown(let text): ErrorResponse(.notFound, .pathUnknown, text).response(in: .v2)
        case .method(let allow):
            ErrorResponse(
                .methodNotAllowed, .methodNotAllowed, "This address is for \(allow).", allow: allow
            ).response(in: .v2)
        }
    }
}
