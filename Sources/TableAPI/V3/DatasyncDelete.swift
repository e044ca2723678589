import HTTPModel
import TableOperations
import Tables

/// `DELETE /tables/NAME/ID` in v3: 204 without a body (v3-90), and 410 for a tombstone, whatever else the request
/// says (v3-91).
enum DatasyncDelete {
    static func answer(_ request: TableRequest, in admitted: AdmittedTable<Deleting>, id: String)
        async throws(RequestError) -> HTTPResponse
    {
        let id = try request.pathID(id)
        let look = DatasyncLook(request: request, admitted: admitted.looking, id: id)
        let write = DatasyncWrite(look: look, includesTombstones: false)
        let outcome = try await write.perform(readsRow: false) { (_, precondition, call) async throws(RequestError) in
            try await request.operating { () async throws(OperationError) -> WriteResult<DatasyncRow> in
                try await request.operations.delete(id, if: precondition, in: admitted, call, into: look.visitor)
            }
        }
        return switch outcome {
        case .written: HTTPResponse(.noContent)
        case .failed(let row): DatasyncResponse.row(.preconditionFailed, row)
        case .outrun(let row): DatasyncResponse.row(.conflict, row)
        }
    }
}
