import ByteText
import HTTPModel
import TableOperations
import Tables

/// `PATCH /tables/NAME/ID` of a v1 client: some columns of a row. The answer is the whole row except for the server's
/// columns that were not requested; the Node runtime echoed what it was sent, which clients merge just as well (v1-80).
enum ServicesUpdate {
    static func answer(_ request: TableRequest, in admitted: AdmittedTable<Updating>, id pathID: String?)
        async throws(RequestError) -> OperationAnswer<HTTPResponse>
    {
        guard let pathID else { throw .idMissing(request.http.method) }
        let shown = try request.servicesColumns()
        let ifMatch = try request.servicesIfMatch()
        let body = try ServicesBody(request.http, for: request.table, keeping: request.nestedMembers)
        if body.isEmpty { throw .services(.bodyMissing) }
        if let bodyID = body.id, !bodyID.text.isExactly(pathID) { throw .idMismatch }
        let id = try request.servicesID(pathID)
        let write = TableWrite.update(id, RowUpdate(body.properties), if: ifMatch ?? .none, in: admitted, request.call)
        return try await ServicesResponse.perform(write, .update, id: pathID, showing: shown, ifMatch, for: request)
    }
}
