import HTTPModel
import TableOperations
import Tables
import ZumoProtocol

/// `POST /tables/NAME`: a new row.
enum InsertRow {
    static func answer(
        _ request: TableRequest, in admitted: AdmittedTable<Inserting>
    ) async throws(RequestError) -> HTTPResponse {
        // Read for its errors alone: an insert has no row to match, but answers 412 in the place of 409 (section 0 rule 4).
        let ifMatch = try request.ifMatch()
        let body = try RequestBody(request.http, for: request.table)
        let id = try newID(body.id, for: request)
        let result = try await request.operating { () async throws(OperationError) -> WriteResult<RowJSON> in
            try await request.operations.insert(
                body.properties, id: id, in: admitted, call(for: body.id, of: request), into: .single())
        }
        switch result.outcome {
        case .written:
            let address = request.address
            let location = (id ?? .integer(result.row.integerID ?? 0)).text
            return RowResponse.make(.created, result.row, location: address.location(of: location, in: request.table))
        case .duplicate, .mismatch, .tombstone:
            guard request.mayShowRow else { throw .idTaken }
            return RowResponse.make(ifMatch == nil ? .conflict : .preconditionFailed, result.row)
        case .taken:
            throw .idTaken
        case .missing:
            throw .rowMissing
        }
    }

    /// Refuses what no store would insert, so that it leaves no empty table behind where the table is yet to be made.
    static func check(_ request: TableRequest) throws(RequestError) {
        _ = try request.ifMatch()
        let body = try RequestBody(request.http, for: request.table)
        _ = try newID(body.id, for: request)
        try check(body.properties, of: request.table)
    }

    /// Refuses properties that the table can't take.
    static func check(_ properties: [Property], of table: Table) throws(RequestError) {
        do throws(TableError) {
            _ = try table.changes(from: properties, for: .insert)
        } catch {
            throw .table(error)
        }
    }

    /// The id of the new row: the client's, or a new one where it gives none, null, "" or 0 (v2 notes 1.2).
    /// - Returns: nil where the table numbers its own rows, whatever the client sends.
    static func newID(_ given: RequestBody.BodyID?, for request: TableRequest) throws(RequestError) -> RowID? {
        if request.table.rules.autoIncrement { return nil }
        guard let given, !isMissing(given) else {
            // What is done once has the same id, and so the same address, each time it is sent.
            guard let receipt = request.receipt, receipt.isOnce else { return .text(RandomID.make()) }
            return .text(RandomID.make(for: receipt))
        }
        let text = given.text
        if let fault = RowID.fault(inNew: text) { throw .idInvalid(fault) }
        return .text(text)
    }

    /// Refuses an id of the client's own in a table that numbers its rows. v2 passes over it.
    static func checkNumbered(_ given: RequestBody.BodyID?, for request: TableRequest) throws(RequestError) {
        if request.table.rules.autoIncrement, !isMissing(given) { throw .idGiven }
    }

    /// What the operations need to know of an insert whose body gives that id.
    static func call(for given: RequestBody.BodyID?, of request: TableRequest) -> WriteCall {
        request.table.rules.autoIncrement || isMissing(given) ? request.call.choosingID : request.call
    }

    private static func isMissing(_ given: RequestBody.BodyID?) -> Bool {
        given == nil || given == .text("") || given == .integer(0)
    }
}
