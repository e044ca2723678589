import HTTPModel
import Tables

/// `DELETE /tables/NAME/ID` in v3: 204 without a body, and 410 for a tombstone, whatever else the request says.
enum DatasyncDelete {
    static func answer(_ request: TableRequest, id: String) async throws(RequestError) -> HTTPResponse {
        let write = DatasyncWrite(request: request, id: try request.pathID(id), includesTombstones: false)
        let outcome = try await write.perform(readsRow: false) { (_: DatasyncRow?) throws(RequestError) in .delete }
        return switch outcome {
        case .written: HTTPResponse(.noContent)
        case .failed(let row): DatasyncResponse.row(.preconditionFailed, row)
        case .outrun(let row): DatasyncResponse.row(.conflict, row)
        }
    }
}
