import ByteText
import HTTPModel
import TableOperations
import Tables

/// The writes of v1 clients to a row that exists.
enum ServicesWrite {
    /// `PATCH /tables/NAME/ID`: some columns of a row. The answer is the whole row except for the server's columns that were
    /// not requested; the Node runtime echoed what it was sent, which clients merge just as well (v1-80).
    static func update(_ request: TableRequest, in admitted: AdmittedTable<Updating>, id pathID: String?)
        async throws(RequestError) -> OperationAnswer<HTTPResponse>
    {
        guard let pathID else { throw .idMissing(request.http.method) }
        let shown = try request.servicesColumns()
        let ifMatch = try request.servicesIfMatch()
        let body = try ServicesBody(request.http, for: request.table, keeping: request.nestedMembers)
        if body.isEmpty { throw .services(.bodyMissing) }
        if let bodyID = body.id, !bodyID.text.isExactly(pathID) { throw .idMismatch }
        let id = try request.servicesID(pathID)
        let write = TableWrite.update(id, RowUpdate(body.properties), if: ifMatch ?? .none, in: admitted, request.call)
        return try await perform(write, .update, id: pathID, showing: shown, ifMatch, for: request)
    }

    /// `DELETE /tables/NAME/ID`: makes a row a tombstone, or removes it. The answer is empty and has no ETag, which the .NET
    /// client would take for a row's (v1-90).
    static func delete(_ request: TableRequest, in admitted: AdmittedTable<Deleting>, id name: String)
        async throws(RequestError) -> OperationAnswer<HTTPResponse>
    {
        let shown = try request.servicesColumns()
        let ifMatch = try request.servicesIfMatch()
        let id = try request.servicesID(name)
        let write = TableWrite.delete(id, if: ifMatch ?? .none, in: admitted, request.call)
        return try await perform(write, .delete, id: name, showing: shown, ifMatch, for: request)
    }

    /// `POST /tables/NAME/ID`, without a body: makes a tombstone a live row again.
    static func undelete(_ request: TableRequest, in admitted: AdmittedTable<Undeleting>, id name: String)
        async throws(RequestError) -> OperationAnswer<HTTPResponse>
    {
        let table = request.table
        guard table.rules.softDelete, !table.rules.autoIncrement else {
            throw .services(.undeleteImpossible(table: table.name.text))
        }
        let shown = try request.servicesColumns()
        let ifMatch = try request.servicesIfMatch()
        guard request.http.body.isEmpty else { throw .services(.undeleteBody) }
        let id = try request.servicesID(name)
        let write = TableWrite.undelete(id, if: ifMatch ?? .none, in: admitted, request.call)
        return try await perform(write, .undelete, id: name, showing: shown, ifMatch, for: request)
    }

    /// Does a write, and answers.
    @inline(__always)
    private static func perform(
        _ write: TableWrite, _ operation: Operation, id: String, showing shown: SystemProperties,
        _ ifMatch: Precondition?, for request: TableRequest
    ) async throws(RequestError) -> OperationAnswer<HTTPResponse> {
        let row = ServicesRowJSON.written(request.table, showing: shown)
        let sentVersion = ifMatch.map { $0 != Precondition.none } ?? false
        return try await request.perform(write, into: row).map { result throws(RequestError) in
            let row = result.row
            switch result.outcome {
            case .written where operation == .delete: return HTTPResponse(.noContent, fields: RowResponse.checked)
            case .written: return ServicesResponse.row(.ok, row, sentVersion: sentVersion)
            case .mismatch, .duplicate: return ServicesResponse.conflict(row)
            case .tombstone where operation != .undelete:
                // Versions were compared before anybody looked whether the row is deleted.
                let isCurrent = row.version.flatMap { ifMatch?.holds(for: $0) } ?? (operation == .delete)
                if isCurrent { throw .services(.rowMissing(id: id)) }
                return ServicesResponse.conflict(row)
            case .tombstone, .missing, .taken: throw .services(.rowMissing(id: id))
            }
        }
    }
}
