import ByteText
import HTTPModel
import TableOperations
import Tables

/// `PATCH /tables/NAME/ID`, or `PATCH /tables/NAME` with the id in the body: some columns of a row.
enum AppsUpdate {
    static func answer(_ request: TableRequest, in admitted: AdmittedTable<Updating>, id pathID: String?)
        async throws(RequestError) -> HTTPResponse
    {
        let ifMatch = try request.ifMatch()
        let body = try RequestBody(request.http, for: request.table)
        guard let idText = pathID ?? body.id?.text else { throw .idMissing(request.http.method) }
        if let bodyID = body.id, !bodyID.text.isExactly(idText) { throw .idMismatch }
        let id = try request.pathID(idText)
        let precondition = ifMatch ?? body.version ?? .none
        let result = try await request.operating { () async throws(OperationError) -> WriteResult<RowJSON> in
            try await request.operations.update(
                id, RowUpdate(body.properties), if: precondition, in: admitted, request.call, into: .single())
        }
        return try AppsAnswer.response(result, success: .ok, hasIfMatch: ifMatch != nil)
    }
}
