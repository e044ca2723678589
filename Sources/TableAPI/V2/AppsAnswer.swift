import HTTPModel
import Tables

/// What the outcome of a write to an existing row becomes on the wire (v2).
enum AppsAnswer {
    /// A conflict is 412 if the request had If-Match and otherwise 409, both with the row (v2-151).
    static func response(
        _ result: WriteResult<RowJSON>, success: HTTPStatus, hasIfMatch: Bool
    ) throws(RequestError) -> HTTPResponse {
        switch result.outcome {
        case .written: RowResponse.make(success, result.row)
        case .mismatch, .duplicate: RowResponse.make(hasIfMatch ? .preconditionFailed : .conflict, result.row)
        case .tombstone, .missing, .taken: throw .rowMissing
        }
    }
}
