import HTTPModel
import ZumoProtocol

/// The `nextLink` of v3, in a form that the client can follow (v3-120 to v3-122).
struct DatasyncLink {
    /// The query that the link continues.
    let query: [QueryMember]
    /// `$skip`, moved past the returned rows.
    let skip: Int
    /// The rest of `$top`; nil if the client gave none.
    let top: Int?
    /// Names the last row returned. It takes precedence over `$skip`, which would skip a row if another was edited
    /// between two pages.
    let token: String?

    /// Which part of the address a client needs.
    enum Shape {
        /// `/tables/NAME?…`, for clients that say `X-ZUMO-Options: nextLink=path` (Microsoft's from 6.0.7).
        case path
        /// `https://HOST/tables/NAME?…`, for Microsoft's older clients, which send `X-ZUMO-VERSION`.
        case absolute
        /// The query without its question mark: the Community Toolkit's clients append it to their own address, and
        /// would otherwise fetch the first page forever.
        case query

        init(of request: TableRequest) {
            if request.zumoOptions.contains("nextlink=path") {
                self = .path
            } else if request.http.fields.contains("X-ZUMO-VERSION") {
                self = .absolute
            } else {
                self = .query
            }
        }
    }

    /// Returns the link in the form the client needs, with all other members of the query.
    func text(for request: TableRequest) async throws(RequestError) -> String {
        try await request.link(with: query.filter { !Self.isReplaced($0.name) }, token) { text(for: request, $0, $1) }
    }

    private func text(for request: TableRequest, _ query: [QueryMember], _ token: String?) -> String {
        let address = request.address
        var bytes: [UInt8] = []
        let shape = Shape(of: request)
        switch shape {
        case .query: break
        case .absolute: bytes.append(contentsOf: address.base.utf8)
        case .path: bytes.append(contentsOf: address.path.utf8)
        }
        if shape != .query {
            bytes.append(contentsOf: request.target.rawPath.utf8)
            bytes.append(UInt8(ascii: "?"))
        }
        var isFirst = true
        for (name, value) in members(query, token) {
            if !isFirst { bytes.append(UInt8(ascii: "&")) }
            isFirst = false
            PercentEncoding.encode(name, keeping: shape == .query ? "" : "$", into: &bytes)
            bytes.append(UInt8(ascii: "="))
            // Some clients split a query at `?`, `&`, `'` or `+`, so values must not contain these.
            PercentEncoding.encode(value, keeping: shape == .query ? "" : "(),:", into: &bytes)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func members(_ query: [QueryMember], _ token: String?) -> [(String, String)] {
        var members = query.map { ($0.name, $0.value) }
        members.append(("$skip", String(skip)))
        if let top { members.append(("$top", String(top))) }
        if let token { members.append(("$skiptoken", token)) }
        return members
    }

    /// v3 accepts names without the `$`, and in any case.
    private static func isReplaced(_ name: String) -> Bool {
        let bare = name.hasPrefix("$") ? name.dropFirst() : name[...]
        return ["skip", "top", "skiptoken"].contains(bare.lowercased())
    }
}
