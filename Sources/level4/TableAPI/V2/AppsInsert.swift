import HTTPModel
import TableOperations
import Tables
import ZumoProtocol

/// `POST /tables/NAME`: a new row.
enum AppsInsert {
    static func answer(
        _ request: TableRequest, in admitted: AdmittedTable<Inserting>
    ) async throws(RequestError) -> OperationAnswer<HTTPResponse> {
        // Read only for its errors: an insert has no row to match, but conflicts are then 412, not 409 (v2-151).
        let ifMatch = try request.ifMatch()
        let body = try RequestBody(request.http, for: request.table, keeping: request.nestedMembers)
        let id = try InsertPreparation.id(body.id, for: request)
        let write = TableWrite.insert(
            body.properties, id: id, in: admitted, InsertPreparation.call(for: body.id, of: request))
        return try await request.perform(write, into: RowJSON.single()).map { result throws(RequestError) in
            switch result.outcome {
            case .written:
                let location = request.location(of: id ?? .integer(result.row.integerID ?? 0))
                return RowResponse.make(.created, result.row, location: location)
            case .duplicate, .mismatch, .tombstone:
                guard request.mayShowRow else { throw .idTaken }
                return RowResponse.make(ifMatch == nil ? .conflict : .preconditionFailed, result.row)
            case .taken:
                throw .idTaken
            case .missing:
                throw .rowMissing
            }
        }
    }

    /// Refuses what no store would insert, so that no empty table is left behind if the table doesn't exist yet.
    static func check(_ request: TableRequest) throws(RequestError) {
        _ = try request.ifMatch()
        let body = try RequestBody(request.http, for: request.table, keeping: request.nestedMembers)
        _ = try InsertPreparation.id(body.id, for: request)
        try InsertPreparation.check(body.properties, of: request.table)
    }
}
