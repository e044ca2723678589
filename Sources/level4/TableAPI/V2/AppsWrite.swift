import ByteText
import HTTPModel
import TableOperations
import Tables

/// The writes of v2 clients to an existing row, each of which answers with the row.
enum AppsWrite {
    /// `PATCH /tables/NAME/ID`, or `PATCH /tables/NAME` with the id in the body: some columns of a row.
    static func update(_ request: TableRequest, in admitted: AdmittedTable<Updating>, id pathID: String?)
        async throws(RequestError) -> OperationAnswer<HTTPResponse>
    {
        let ifMatch = try request.ifMatch()
        let body = try RequestBody(request.http, for: request.table, keeping: request.nestedMembers)
        guard let idText = pathID ?? body.id?.text else { throw .idMissing(request.http.method) }
        if let bodyID = body.id, !bodyID.text.isExactly(idText) { throw .idMismatch }
        let id = try request.pathID(idText)
        let precondition = ifMatch ?? body.version ?? .none
        let write = TableWrite.update(id, RowUpdate(body.properties), if: precondition, in: admitted, request.call)
        return try await perform(write, for: request, success: .ok, hasIfMatch: ifMatch != nil)
    }

    /// `DELETE /tables/NAME/ID`: makes a row a tombstone, or removes it (v2-130).
    static func delete(_ request: TableRequest, in admitted: AdmittedTable<Deleting>, id: String)
        async throws(RequestError) -> OperationAnswer<HTTPResponse>
    {
        let ifMatch = try request.ifMatch()
        let write = TableWrite.delete(try request.pathID(id), if: ifMatch ?? .none, in: admitted, request.call)
        return try await perform(write, for: request, success: .ok, hasIfMatch: ifMatch != nil)
    }

    /// `POST /tables/NAME/ID`: makes a tombstone a live row again. The body is ignored (v2-141).
    static func undelete(_ request: TableRequest, in admitted: AdmittedTable<Undeleting>, id: String)
        async throws(RequestError) -> OperationAnswer<HTTPResponse>
    {
        guard request.table.rules.softDelete else {
            throw .undeleteWithoutSoftDelete(table: request.table.name.text)
        }
        let ifMatch = try request.ifMatch()
        let write = TableWrite.undelete(try request.pathID(id), if: ifMatch ?? .none, in: admitted, request.call)
        return try await perform(write, for: request, success: .created, hasIfMatch: ifMatch != nil)
    }

    /// Performs a write and answers. A conflict is a 412 if the request had If-Match and a 409 if not, both with the
    /// row (v2-151).
    @inline(__always)
    private static func perform(
        _ write: TableWrite, for request: TableRequest, success: HTTPStatus, hasIfMatch: Bool
    ) async throws(RequestError) -> OperationAnswer<HTTPResponse> {
        try await request.perform(write, into: RowJSON.single()).map { result throws(RequestError) in
            switch result.outcome {
            case .written: RowResponse.make(success, result.row)
            case .mismatch, .duplicate: RowResponse.make(hasIfMatch ? .preconditionFailed : .conflict, result.row)
            case .tombstone, .missing, .taken: throw .rowMissing
            }
        }
    }
}
