import HTTPModel
import TableOperations
import Tables

/// `PUT /tables/NAME/ID`: replaces a whole row. What the body leaves out becomes 0, false or null (v3-70).
enum DatasyncReplace {
    static func answer(_ request: TableRequest, in admitted: AdmittedTable<Updating>, id: String)
        async throws(RequestError) -> OperationAnswer<HTTPResponse>
    {
        let body = try body(request, id: id)
        // A client that leaves out default values undeletes without sending `deleted`.
        let deleted = body.deleted ?? false
        let update = DatasyncUpdate(
            request: request, admitted: admitted, id: try request.pathID(id),
            includesTombstones: request.includesDeleted, deleted: deleted, readsRow: false)
        return try await update.answer { (_: DatasyncRow?, _) throws(RequestError) in
            var update = RowUpdate(body.properties)
            update.deleted = deleted
            update.includesTombstones = request.includesDeleted
            update.replaces = true
            return update
        }
    }

    /// Returns the whole row that the body asks for.
    private static func body(_ request: TableRequest, id: String) throws(RequestError) -> DatasyncBody {
        var body = try DatasyncBody(request.http, of: request.table, keeping: request.nestedMembers)
        guard let bodyID = body.id else { throw .bodyIDMissing }
        guard bodyID.text.utf8.elementsEqual(id.utf8) else { throw .idMismatch }
        body.fillAbsent(in: request.table, replacing: true, isDeclared: request.isDeclared)
        return body
    }
}
