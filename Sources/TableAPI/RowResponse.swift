import HTTPModel
import Tables

/// The answer that carries one row.
enum RowResponse {
    /// A row with its version as the ETag, which clients store in the place of the row's own `version`; no version among
    /// the columns, no ETag (v2-45).
    static func make(_ status: HTTPStatus, _ row: RowJSON, location: String? = nil) -> HTTPResponse {
        make(status, row.object, version: row.version, location: location)
    }

    /// The same of a row's bytes; without any there is only the version to tell.
    static func make(
        _ status: HTTPStatus, _ row: [UInt8], version: Version?, location: String? = nil
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
        if status.rawValue < 300 { appendCacheFields(to: &fields) }
        var response = HTTPResponse(status, fields: fields, body: row)
        switch status {
        case .conflict: response.reason = "the row is there already, or has another version; it is in the answer"
        case .preconditionFailed: response.reason = "the row has another version than the request; it is in the answer"
        default: break
        }
        return response
    }

    /// The three fields of every success on a table, as both Azure servers sent them.
    static func appendCacheFields(to fields: inout HTTPFields) {
        fields.append(contentsOf: cacheFields)
    }

    private static let cacheFields = {
        var fields = HTTPFields()
        fields.append("cache-control", "no-cache")
        fields.append("pragma", "no-cache")
        fields.append("expires", "0")
        return fields
    }()
}
