import HTTPModel
import Tables
import ZumoProtocol

/// Answers with a single row.
enum RowResponse {
    /// A row with its version as the ETag, which clients store as the row's own `version`; no ETag if the version isn't
    /// among the columns (v2-45).
    static func make(
        _ status: HTTPStatus, _ row: RowJSON, location: String? = nil, caching: HTTPFields = checked
    ) -> HTTPResponse {
        make(status, row.object, version: row.version, location: location, caching: caching)
    }

    /// The same for an encoded row; if that is empty, only the version is reported.
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

    /// The three header fields of every success on a table in v1 and v2, as both Azure servers sent them.
    static let checked = caching("no-cache")
    /// Those of v3. The caches of some platforms would otherwise use what they hold of a row in all later requests for
    /// it, even writes, by fields unknown to the app (v3-25).
    static let unkept = caching(ErrorBody.cacheControl)

    private static func caching(_ control: String) -> HTTPFields {
        var fields = HTTPFields()
        fields.append("cache-control", control)
        fields.append("pragma", "no-cache")
        fields.append("expires", "0")
        return fields
    }
}

extension PublicAddress {
    /// Returns the address of a row.
    func location(of id: String, in table: Table) -> String {
        var bytes = Array("\(base)/tables/\(table.name.text)/".utf8)
        PercentEncoding.encode(id, into: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
