import HTTPModel
import OData
import TableOperations
import Tables

/// `GET /tables/NAME/ID`: one row.
enum AppsFind {
    static func answer(_ request: TableRequest, in admitted: AdmittedTable<Reading>, id: String)
        async throws(RequestError) -> OperationAnswer<HTTPResponse>
    {
        let id = try request.pathID(id)
        var select: [SelectedName]?
        var includeDeleted = false
        if !request.target.query.isEmpty {
            // Other options have no meaning here, and malformed ones do no harm (v2-51).
            let members = request.target.query.filter {
                $0.name == "$select" || $0.name.lowercased() == "__includedeleted"
            }
            let options = try Options.parse(members)
            includeDeleted = options.includeDeleted
            select = options.select
        }
        return try await request.find(
            id, in: admitted, select: select, includeDeleted: includeDeleted,
            into: RowJSON.single(adding: CallerIdentities.member(for: request))
        ).map { row throws(RequestError) in
            guard let row else { throw .rowMissing }
            return RowResponse.make(.ok, row)
        }
    }
}
