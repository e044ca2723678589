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
        try InsertPreparation.checkNumbered(body.id, for: request)
        let id = try InsertPreparation.id(body.id, for: request)
        let write = TableWrite.insert(
            body.properties, id: id, in: admitted, InsertPreparation.call(for: body.id, of: request))
        let row = ServicesRowJSON.single(showing: shown)
        return try await request.perform(write, into: row).map { result throws(RequestError) in
            switch result.outcome {
            case .written:
                let location = request.location(of: id ?? .integer(result.row.asked.integerID ?? 0))
                return ServicesResponse.row(.created, result.row, sentVersion: false, location: location)
            case .duplicate, .mismatch, .tombstone, .taken:
                throw .idTaken
            case .missing:
                throw .rowMissing
            }
        }
    }

    /// Refuses what no store would insert, so that it leaves no empty table behind if the table doesn't exist yet.
    static func check(_ request: TableRequest) throws(RequestError) {
        _ = try request.servicesColumns()
        let body = try ServicesBody(request.http, for: request.table, keeping: request.nestedMembers)
        try InsertPreparation.checkNumbered(body.id, for: request)
        _ = try InsertPreparation.id(body.id, for: request)
        try InsertPreparation.check(body.properties, of: request.table)
    }
}
