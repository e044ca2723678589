import HTTPModel
import Tables
import ZumoProtocol

/// The answer that carries one row.
enum RowResponse {
    /// A row with its version as the ETag, which clients store in place of the row's own `version`; without a version
    /// among the columns, no ETag (v2-45).
    static func make(
        _ status: HTTPStatus, _ row: RowJSON, location: String? = nil, caching: HTTPFields = checked
    ) -> HTTPResponse {
        make(status, row.object, version: row.version, location: location, caching: caching)
    }

    /// The same from a row's bytes; without any there is only the version to report.
    static func make(
        _ status: HTTPStatus, _ row: [UInt8], version: Version?, location: String? = nil, caching: HTTPFields = checked
    ) -> HTTPResponse {
        var fields = HTTPFields()
        fields.reserve(fields: 12, bytes: 448)
        if !row.isEmpty { fields.append("Content-Type", "application/json; charset=utf-8") }
        if let version {
            fields.append("ETag") {
                $0.append(UInt8(ascii: "\""))
                version.append(to: &$0)
                $0.append(UInt8(ascii: "\""))
            }
        }
        if let location { fields.append("Location", location) }
        if status.rawValue < 300 { fields.append(contentsOf: caching) }
        var response = HTTPResponse(status, fields: fields, body: row)
        switch status {
        case .conflict: response.reason = "the row is there already, or has another version; it is in the answer"
        case .preconditionFailed: response.reason = "the row has another version than the request; it is in the answer"
        default: break
        }
        return response
    }

    /// The three fields of every success on a table of v1 and v2, as both Azure servers sent them.
    static let checked = caching("no-cache")
    /// Those of v3. What a platform's cache keeps of a row it asks about with each later request, writes too, by fields that
    /// the app knows nothing of (v3-25).
    static let unkept = caching(ErrorBody.cacheControl)

    private static func caching(_ control: String) -> HTTPFields {
        var fields = HTTPFields()
        fields.append("cache-control", control)
        fields.append("pragma", "no-cache")
        fields.append("expires", "0")
        return fields
    }
}
