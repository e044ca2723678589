import HTTPModel
import TableOperations
import Tables

/// `DELETE /tables/NAME/ID` of a v1 client: makes a row a tombstone, or removes it. The answer is empty and has no ETag,
/// which the .NET client would take for a row's (v1-90).
enum ServicesDelete {
    static func answer(_ request: TableRequest, in admitted: AdmittedTable<Deleting>, id name: String)
        async throws(RequestError) -> OperationAnswer<HTTPResponse>
    {
        let shown = try request.servicesColumns()
        let ifMatch = try request.servicesIfMatch()
        let id = try request.servicesID(name)
        let write = TableWrite.delete(id, if: ifMatch ?? .none, in: admitted, request.call)
        return try await ServicesResponse.perform(write, .delete, id: name, showing: shown, ifMatch, for: request)
    }
}
