import ByteText
import HTTPModel
import TableOperations
import Tables

/// `PATCH /tables/NAME/ID`, or `PATCH /tables/NAME` with the id in the body: some columns of a row.
enum AppsUpdate {
    static func answer(_ request: TableRequest, in admitted: AdmittedTable<Updating>, id pathID: String?)
        async throws(RequestError) -> OperationAnswer<HTTPResponse>
    {
        let ifMatch = try request.ifMatch()
        let body = try RequestBody(request.http, for: request.table, keeping: request.nestedMembers)
        guard let idText = pathID ?? body.id?.text else { throw .idMissing(request.http.method) }
        if let bodyID = body.id, !bodyID.text.isExactly(idText) { throw .idMismatch }
        let id = try request.pathID(idText)
        let precondition = ifMatch ?? body.version ?? .none
        return try await AppsResponse.perform(
            .update(id, RowUpdate(body.properties), if: precondition, in: admitted, request.call), for: request,
            success: .ok, hasIfMatch: ifMatch != nil)
    }
}
