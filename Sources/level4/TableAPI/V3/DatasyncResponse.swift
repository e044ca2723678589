import HTTPModel
import Tables

/// Answers of v3 with a single row.
enum DatasyncResponse {
    /// The row, with its version as the ETag and the date of its last change.
    static func row(_ status: HTTPStatus, _ row: DatasyncRow, location: String? = nil) -> HTTPResponse {
        var response = RowResponse.make(status, row.json, location: location, caching: RowResponse.unkept)
        if let updatedAt = row.updatedAt {
            response.fields.append(
                "Last-Modified", HTTPDate.text(secondsSinceEpoch: updatedAt.secondsRoundedDown))
        }
        return response
    }

    /// Tells the client that it has the current row.
    static func notModified(_ row: DatasyncRow) -> HTTPResponse {
        var fields = HTTPFields()
        if let version = row.version { fields.append("ETag", "\"\(version.wireText)\"") }
        fields.append(contentsOf: RowResponse.unkept)
        return HTTPResponse(.notModified, fields: fields, body: [])
    }
}
