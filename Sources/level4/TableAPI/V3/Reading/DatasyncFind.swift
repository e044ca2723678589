import HTTPModel
import TableOperations
import Tables

/// `GET /tables/NAME/ID` in v3: the whole row, or 304. Query options don't apply to a single row.
enum DatasyncFind {
    static func answer(_ request: TableRequest, in admitted: AdmittedTable<Reading>, id: String)
        async throws(RequestError) -> OperationAnswer<HTTPResponse>
    {
        let id = try request.pathID(id)
        let found = try await request.find(id, in: admitted, includeDeleted: true, into: DatasyncRow())
        return try found.map { row throws(RequestError) in
            guard let row else { throw .rowMissing }
            if row.isDeleted, !request.includesDeleted { throw .rowDeleted }
            let conditions = Conditions(request.http.fields, ofWrite: false, clock: request.settings.clock)
            return switch conditions.verdict(on: row) {
            case .holds: DatasyncResponse.row(.ok, row)
            case .unchanged: DatasyncResponse.notModified(row)
            case .failed: DatasyncResponse.row(.preconditionFailed, row)
            }
        }
    }
}
