import HTTPModel
import TableOperations
import Tables
import ZumoProtocol

/// `POST /tables/NAME` in v3. Conditional fields are ignored, and a row may be inserted as a tombstone.
enum DatasyncInsert {
    static func answer(
        _ request: TableRequest, in admitted: AdmittedTable<Inserting>
    ) async throws(RequestError) -> OperationAnswer<HTTPResponse> {
        let body = try body(request)
        return try await TableInsert.answer(
            body.properties, body.id, deleted: body.deleted ?? false, in: admitted, for: request, into: DatasyncRow()
        ) { row, address in
            DatasyncResponse.row(.created, row, location: address(row.json.integerID))
        } conflict: { row in
            DatasyncResponse.row(.conflict, row)
        }
    }

    /// Refuses an insert that no store would accept, before it creates a table.
    static func check(_ request: TableRequest) throws(RequestError) {
        let body = try body(request)
        try TableInsert.check(body.properties, body.id, for: request)
    }

    /// Returns the new row that the body asks for.
    private static func body(_ request: TableRequest) throws(RequestError) -> DatasyncBody {
        var body = try DatasyncBody(request.http, of: request.table, keeping: request.nestedMembers)
        try TableInsert.checkNumbered(body.id, for: request)
        body.fillAbsent(in: request.table, replacing: false, isDeclared: request.isDeclared)
        return body
    }
}
