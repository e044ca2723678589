import HTTPModel
import JSONText
import Operating
import TableOperations
import Tables
import ZumoProtocol

/// What can be wrong with what a test asks for: of the record, of a world, or with a document to replay.
enum RecordFault: Error, Sendable, Equatable {
    /// A parameter of the query.
    case query(String)
    /// The body is no JSON.
    case json(JSONError)
    /// The body is JSON, but not what is wanted.
    case body(String)
    case unknownRequest(String)
    /// What is asked about doesn't exist; the sentence says so.
    case unknown(String)
    /// The path can be asked by these methods only.
    case method(allow: String)
    /// Anything else that keeps it from being done.
    case refused(HTTPStatus, ErrorCode, String)

    /// The value of a body.
    static func parse(
        _ body: [UInt8], loneSurrogates: JSONReader.LoneSurrogates = .refused
    ) throws(RecordFault) -> JSONValue {
        do throws(JSONError) {
            return try JSONReader.parse(body, loneSurrogates: loneSurrogates)
        } catch {
            throw .json(error)
        }
    }

    /// The response for the client.
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
