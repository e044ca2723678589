import HTTPModel
import JSONText
import Operating
import TableOperations
import Tables
import ZumoProtocol

/// What can be wrong with a test's request about the record or a world, or with a document to replay.
enum RecordFault: Error, Sendable, Equatable {
    /// A parameter of the query.
    case query(String)
    /// The body isn't JSON.
    case json(JSONError)
    /// The body is JSON, but not what is expected.
    case body(String)
    case unknownRequest(String)
    /// Something named in the request doesn't exist; the sentence says what.
    case unknown(String)
    /// The path supports only these methods.
    case method(allow: String)
    /// Any other reason why it can't be done.
    case refused(HTTPStatus, ErrorCode, String)

    /// Parses a body.
    static func parse(
        _ body: [UInt8], loneSurrogates: JSONReader.LoneSurrogates = .refused
    ) throws(RecordFault) -> JSONValue {
        do throws(JSONError) {
            return try JSONReader.parse(body, loneSurrogates: loneSurrogates)
        } catch {
            throw .json(error)
        }
    }

    /// The response to the client.
    var response: HTTPResponse {
        let failure =
            switch self {
            case .query(let text): ErrorResponse(.queryInvalid, text)
            case .json(let error):
                ErrorResponse(
                    .bodyMalformed, "The body is not valid JSON: \(error.reason.words) at byte \(error.offset).")
            case .body(let text): ErrorResponse(.bodyMalformed, text)
            case .unknownRequest(let text):
                ErrorResponse(.notFound, .requestUnknown, "The record has no request '\(ErrorBody.excerpt(text))'.")
            case .unknown(let text): ErrorResponse(.notFound, .pathUnknown, text)
            case .method(let allow):
                ErrorResponse(.methodNotAllowed, .methodNotAllowed, "This address is for \(allow).", allow: allow)
            case .refused(let status, let code, let text): ErrorResponse(status, code, text)
            }
        return failure.response(in: .v2)
    }
}

extension RecordFault: StoreFault {
    init(_ error: TableError) {
        self = .refused(.serviceUnavailable, .databaseAway, "The database did not do it: \(error.detail)")
    }

    init(_ error: RowsError) {
        self =
            switch error {
            case .noTable(let name):
                .refused(.notFound, .tableUnknown, "There is no table '\(ErrorBody.excerpt(name))'.")
            case .noRow: .refused(.notFound, .rowNotFound, "There is no such row.")
            default: .body("The row can't be written: \(ThrownError.words(error))")
            }
    }
}
