import HTTPModel
import TableOperations
import Tables

/// `DELETE /tables/NAME/ID`: makes a row a tombstone, or removes it. Answers with the row (v2-130).
enum AppsDelete {
    static func answer(_ request: TableRequest, in admitted: AdmittedTable<Deleting>, id: String)
        async throws(RequestError) -> OperationAnswer<HTTPResponse>
    {
        let ifMatch = try request.ifMatch()
        let id = try request.pathID(id)
        return try await AppsResponse.perform(
            .delete(id, if: ifMatch ?? .none, in: admitted, request.call), for: request, success: .ok,
            hasIfMatch: ifMatch != nil)
    }
}
