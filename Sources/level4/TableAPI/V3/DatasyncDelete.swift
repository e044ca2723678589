import HTTPModel
import TableOperations
import Tables

/// `DELETE /tables/NAME/ID` in v3: 204 without a body (v3-90), and 410 for a tombstone, whatever else the request
/// says (v3-91).
enum DatasyncDelete {
    static func answer(_ request: TableRequest, in admitted: AdmittedTable<Deleting>, id: String)
        async throws(RequestError) -> OperationAnswer<HTTPResponse>
    {
        let id = try request.pathID(id)
        let look = DatasyncPreread(request: request, admitted: admitted.looking, id: id)
        let delete = TableWrite.delete(id, in: admitted, request.call)
        let write = DatasyncWrite(look: look, includesTombstones: false, answersRow: false)
        return try await write.perform(readsRow: false) { _, _ in delete }
    }
}
