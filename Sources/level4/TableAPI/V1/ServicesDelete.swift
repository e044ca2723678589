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
        let row = ServicesRowJSON.written(request.table, showing: shown)
        return try await request.perform(write, into: row).map { result throws(RequestError) in
            switch result.outcome {
            case .written:
                var fields = HTTPFields()
                fields.append(contentsOf: RowResponse.checked)
                return HTTPResponse(.noContent, fields: fields)
            case .mismatch, .duplicate:
                return ServicesResponse.conflict(result.row)
            case .tombstone:
                let isCurrent = result.row.version.flatMap { ifMatch?.holds(for: $0) } ?? true
                return try ServicesResponse.tombstone(result.row, id: name, isCurrent: isCurrent)
            case .missing, .taken:
                throw .services(.rowMissing(id: name))
            }
        }
    }
}
