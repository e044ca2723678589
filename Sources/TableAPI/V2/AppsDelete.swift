import HTTPModel
import TableOperations
import Tables

/// `DELETE /tables/NAME/ID`: makes a row a tombstone, or removes it. Answers with the row (v2-130).
enum AppsDelete {
    static func answer(_ request: TableRequest, in admitted: AdmittedTable<Deleting>, id: String)
        async throws(RequestError) -> HTTPResponse
    {
        let ifMatch = try request.ifMatch()
        let id = try request.pathID(id)
        let result = try await request.operating { () async throws(OperationError) -> WriteResult<RowJSON> in
            try await request.operations.delete(
                id, if: ifMatch ?? .none, in: admitted, request.call, into: .single())
        }
        return try AppsAnswer.response(result, success: .ok, hasIfMatch: ifMatch != nil)
    }
}
