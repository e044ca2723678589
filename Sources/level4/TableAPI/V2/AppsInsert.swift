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
        return try await TableInsert.answer(
            body.properties, body.id, in: admitted, for: request, into: RowJSON.single()
        ) { row, address in
            RowResponse.make(.created, row, location: address(row.integerID))
        } conflict: { row in
            RowResponse.make(ifMatch == nil ? .conflict : .preconditionFailed, row)
        }
    }

    /// Refuses what no store would insert, so that no empty table is left behind if the table doesn't exist yet.
    static func check(_ request: TableRequest) throws(RequestError) {
        _ = try request.ifMatch()
        let body = try RequestBody(request.http, for: request.table, keeping: request.nestedMembers)
        try TableInsert.check(body.properties, body.id, for: request)
    }
}
