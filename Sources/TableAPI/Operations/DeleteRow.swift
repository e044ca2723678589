import HTTPModel
import Tables

/// `DELETE /tables/NAME/ID`: makes a row a tombstone, or removes it. Answers with the row (v2, quirk 10).
enum DeleteRow {
    static func answer(_ request: TableRequest, id: String) async throws(RequestError) -> HTTPResponse {
        let ifMatch = try request.ifMatch()
        let id = try request.pathID(id)
        let result = try await request.storing { () async throws(TableError) -> WriteResult<RowJSON> in
            try await request.store.delete(id, if: ifMatch ?? .none, scope: nil, in: request.table, into: .single())
        }
        return try WriteAnswer.response(result, success: .ok, hasIfMatch: ifMatch != nil)
    }
}
