import HTTPModel
import TableOperations
import Tables

/// `POST /tables/NAME/ID`: makes a tombstone a live row again. The body is ignored (v2-141).
enum AppsUndelete {
    static func answer(_ request: TableRequest, in admitted: AdmittedTable<Undeleting>, id: String)
        async throws(RequestError) -> OperationAnswer<HTTPResponse>
    {
        guard request.table.rules.softDelete else {
            throw .undeleteWithoutSoftDelete(table: request.table.name.text)
        }
        let ifMatch = try request.ifMatch()
        let id = try request.pathID(id)
        return try await AppsResponse.perform(
            .undelete(id, if: ifMatch ?? .none, in: admitted, request.call), for: request, success: .created,
            hasIfMatch: ifMatch != nil)
    }
}
