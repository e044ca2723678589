import HTTPModel
import TableOperations
import Tables

/// What the outcome of a write to an existing row becomes on the wire (v2).
enum AppsResponse {
    /// Does such a write and answers.
    @inline(__always)
    static func perform(
        _ write: TableWrite, for request: TableRequest, success: HTTPStatus, hasIfMatch: Bool
    ) async throws(RequestError) -> OperationAnswer<HTTPResponse> {
        try await request.perform(write, into: RowJSON.single()).map { result throws(RequestError) in
            try response(result, success: success, hasIfMatch: hasIfMatch)
        }
    }

    /// A conflict is 412 where the request carried If-Match and 409 where it did not, both with the row (v2-151).
    private static func response(
        _ result: WriteResult<RowJSON>, success: HTTPStatus, hasIfMatch: Bool
    ) throws(RequestError) -> HTTPResponse {
        switch result.outcome {
        case .written: RowResponse.make(success, result.row)
        case .mismatch, .duplicate: RowResponse.make(hasIfMatch ? .preconditionFailed : .conflict, result.row)
        case .tombstone, .missing, .taken: throw .rowMissing
        }
    }
}
