import HTTPModel
import TableOperations
import Tables
import ZumoProtocol

/// `POST /tables/NAME` in v3. Conditional fields are ignored, and a row may be inserted as a tombstone.
enum DatasyncInsert {
    static func answer(
        _ request: TableRequest, in admitted: AdmittedTable<Inserting>
    ) async throws(RequestError) -> OperationAnswer<HTTPResponse> {
        let (body, id) = try row(request)
        let write = TableWrite.insert(
            body.properties, id: id, deleted: body.deleted ?? false, in: admitted,
            InsertPreparation.call(for: body.id, of: request))
        return try await request.perform(write, into: DatasyncRow()).map { result throws(RequestError) in
            switch result.outcome {
            case .written:
                let location = request.location(of: id ?? .integer(result.row.json.integerID ?? 0))
                return DatasyncResponse.row(.created, result.row, location: location)
            case .duplicate, .mismatch, .tombstone:
                guard request.mayShowRow else { throw .idTaken }
                return DatasyncResponse.row(.conflict, result.row)
            case .taken:
                throw .idTaken
            case .missing:
                throw .rowMissing
            }
        }
    }

    /// Refuses an insert that no store would accept, before it creates a table.
    static func check(_ request: TableRequest) throws(RequestError) {
        try InsertPreparation.check(try row(request).body.properties, of: request.table)
    }

    /// Returns the new row that the body asks for.
    private static func row(_ request: TableRequest) throws(RequestError) -> (body: DatasyncBody, id: RowID?) {
        var body = try DatasyncBody(request.http, of: request.table, keeping: request.nestedMembers)
        try InsertPreparation.checkNumbered(body.id, for: request)
        let id = try InsertPreparation.id(body.id, for: request)
        body.fillAbsent(in: request.table, replacing: false, isDeclared: request.isDeclared)
        return (body, id)
    }
}
