import HTTPModel
import TableOperations
import Tables
import ZumoProtocol

/// `POST /tables/NAME` of a v1 client: a new row.
enum ServicesInsert {
    static func answer(
        _ request: TableRequest, in admitted: AdmittedTable<Inserting>
    ) async throws(RequestError) -> OperationAnswer<HTTPResponse> {
        let shown = try request.servicesColumns()
        let body = try ServicesBody(request.http, for: request.table, keeping: request.nestedMembers)
        try TableInsert.checkNumbered(body.id, for: request)
        return try await TableInsert.answer(
            body.properties, body.id, in: admitted, for: request, into: ServicesRowJSON.single(showing: shown)
        ) { row, address in
            ServicesResponse.row(.created, row, sentVersion: false, location: address(row.asked.integerID))
        } conflict: { _ throws(RequestError) in
            throw .idTaken
        }
    }

    /// Refuses what no store would insert, so that it leaves no empty table behind if the table doesn't exist yet.
    static func check(_ request: TableRequest) throws(RequestError) {
        _ = try request.servicesColumns()
        let body = try ServicesBody(request.http, for: request.table, keeping: request.nestedMembers)
        try TableInsert.checkNumbered(body.id, for: request)
        try TableInsert.check(body.properties, body.id, for: request)
    }
}
