import HTTPModel
import TableOperations
import Tables

/// `POST /tables/NAME/ID` of a v1 client, without a body: makes a tombstone a live row again.
enum ServicesUndelete {
    static func answer(_ request: TableRequest, in admitted: AdmittedTable<Undeleting>, id name: String)
        async throws(RequestError) -> OperationAnswer<HTTPResponse>
    {
        let table = request.table
        guard table.rules.softDelete, !table.rules.autoIncrement else {
            throw .services(.undeleteImpossible(table: table.name.text))
        }
        let shown = try request.servicesColumns()
        let ifMatch = try request.servicesIfMatch()
        guard request.http.body.isEmpty else { throw .services(.undeleteBody) }
        let id = try request.servicesID(name)
        let write = TableWrite.undelete(id, if: ifMatch ?? .none, in: admitted, request.call)
        return try await ServicesResponse.perform(write, .undelete, id: name, showing: shown, ifMatch, for: request)
    }
}
