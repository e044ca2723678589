import HTTPModel
import ZumoProtocol

/// The `Link` to the next page: `URL; rel=next`, without angle brackets and quotes, as every client parses it (v2-170).
enum AppsLink {
    /// The request's own URL with `$skip` moved past the returned rows; all other members stay as they are, except the
    /// `$top` of a page that ended before that many rows.
    ///
    /// The token names the last row returned. It takes precedence over `$skip`, which would skip a row if another was
    /// edited between two pages.
    /// - Parameter top: how many of the requested rows are left; nil if the client gave no number.
    static func value(
        of request: TableRequest, skip: Int, top: Int?, token: String?
    ) async throws(RequestError) -> String {
        var members = request.target.query.filter { $0.name != "$skip" && $0.name != "$skiptoken" }
        if let top {
            members = members.map { $0.name == "$top" ? QueryMember(name: $0.name, value: String(top)) : $0 }
        }
        return try await request.link(with: members, token) { value(of: request, $0, skip: skip, token: $1) }
    }

    private static func value(of request: TableRequest, _ members: [QueryMember], skip: Int, token: String?) -> String {
        var bytes = Array(request.address.base.utf8)
        bytes.append(contentsOf: request.target.rawPath.utf8)
        bytes.append(UInt8(ascii: "?"))
        for member in members {
            append(member.name, member.value, to: &bytes)
            bytes.append(UInt8(ascii: "&"))
        }
        append("$skip", String(skip), to: &bytes)
        if let token {
            bytes.append(UInt8(ascii: "&"))
            append("$skiptoken", token, to: &bytes)
        }
        bytes.append(contentsOf: "; rel=next".utf8)
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func append(_ name: String, _ value: String, to bytes: inout [UInt8]) {
        PercentEncoding.encode(name, keeping: "$", into: &bytes)
        bytes.append(UInt8(ascii: "="))
        // The clients' parsers take a semicolon or comma for the end of the URL.
        PercentEncoding.encode(value, keeping: "$'()*:", into: &bytes)
    }
}
