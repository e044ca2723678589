import HTTPModel
import Tables

/// `POST /tables/NAME/ID`: makes a tombstone a live row again. The body is ignored (v2 notes 4.2).
enum UndeleteRow {
    static func answer(_ request: TableRequest, id: String) async throws(RequestError) -> HTTPResponse {
        guard request.table.rules.softDelete else {
            throw .undeleteWithoutSoftDelete(table: request.table.name.text)
        }
        let ifMatch = try request.ifMatch()
        let id = try request.pathID(id)
        let result = try await request.storing { () async throws(TableError) -> WriteResult<RowJSON> in
            try await request.store.update(
                id, .undelete, if: ifMatch ?? .none, scope: nil, in: request.table, into: .single())
        }
        return try WriteAnswer.response(result, success: .created, hasIfMatch: ifMatch != nil)
    }
}
