import JSONText
import WireTesting

/// The library of the .NET Community Toolkit, 8 to 10: its offline part.
struct ToolkitLibrary: ClientLibrary {
    private let settings: PullSettings
    /// Milliseconds since 1970.
    private var token: Int64 = 0
    private var nextQuery: String?

    init(_ settings: PullSettings) {
        self.settings = settings
    }

    let insistsWithoutIfMatch = true

    private func fields(hasBody: Bool = false) -> [String] {
        [
            "ZUMO-API-VERSION: 3.0.0",
            "User-Agent: Datasync/9.0.5 (lang=Managed;os=Linux/6.1;arch=X64;version=9.0.5.0)",
        ] + (hasBody ? ["Content-Type: application/json; charset=utf-8"] : [])
    }

    private func path(_ id: String? = nil) -> String {
        "/tables/\(settings.table.lowercased())" + (id.map { "/" + $0 } ?? "")
    }

    func request(for write: RowWrite) -> ClientRequest? {
        switch write {
        case .insert(let row):
            ClientRequest(.post, path(), fields: fields(hasBody: true), body: .init(item: Self.members(row)))
        case .update(let row, let version):
            ClientRequest(
                .put, path(row.id), fields: fields(hasBody: true) + Answer.ifMatch(version),
                body: .init(item: Self.members(row)))
        case .delete(let id, let version):
            ClientRequest(.delete, path(id), fields: fields() + Answer.ifMatch(version))
        // The offline part has no undelete.
        case .undelete: nil
        }
    }

    /// What has its type's default is left out; stamp and version are sent as the client knows them.
    private static func members(_ row: SyncedRow) -> [(name: String, value: JSONValue)] {
        let columns = Answer.members(row).filter { member in
            switch member.value {
            case .null, .boolean(false), .integer(0), .number(0), .precise(_, nearest: 0): false
            case .boolean, .integer, .number, .precise, .string, .array, .object: true
            }
        }
        return columns + (row.updatedAt.map { [("updatedAt", .string($0))] } ?? [])
            + (row.version.map { [("version", .string($0))] } ?? [])
    }

    func lookup(_ id: String) -> ClientRequest {
        ClientRequest(.get, path(id), fields: fields())
    }

    func row(of response: WireResponse) throws(SyncFailure) -> SyncedRow {
        try Answer.row(response)
    }

    func outcome(of write: RowWrite, _ response: WireResponse) throws(SyncFailure) -> WriteOutcome {
        switch (response.code, write) {
        case (200, .delete), (204, .delete), (404, .delete), (410, .delete): return .done(nil)
        case (200, _), (201, _): return .done(try row(of: response))
        case (404, _), (410, _): return .gone
        case (409, _), (412, _): return .conflict(try row(of: response))
        default: throw .refused(status: response.status, body: response.text)
        }
    }

    mutating func beginPull() {
        nextQuery = nil
    }

    func pageRequest() -> ClientRequest {
        if let nextQuery { return ClientRequest(.get, "\(path())?\(nextQuery)", fields: fields()) }
        var conditions = settings.filter.map { [$0] } ?? []
        if token > 0 {
            let date = QueryDate(ticks: token * 10_000).millisecondText
            conditions.append("(updatedAt gt cast(\(date),Edm.DateTimeOffset))")
        }
        var filter = conditions.joined(separator: " and ")
        if conditions.count > 1 { filter = "(\(filter))" }
        let query =
            (filter.isEmpty ? "" : "$filter=\(PercentText(keeping: "$'(),:").encode(filter))&")
            + "$orderby=updatedAt&$count=true&__includedeleted=true"
        return ClientRequest(.get, "\(path())?\(query)", fields: fields())
    }

    /// The next link is put in the place of the query; one that is an address would be page 1 again for ever.
    mutating func take(_ response: WireResponse) throws(SyncFailure) -> PulledPage {
        let rows = try Answer.list(response, wrappedIn: "items").compactMap { SyncedRow($0) }
        for row in rows {
            if let date = row.updatedAt.flatMap(WireDate.init) { token = max(token, date.milliseconds) }
        }
        let json = try Answer.json(response)
        if let count = json.member("count"), count != .null {
            guard case .integer = count else { throw .unreadable("count is no whole number") }
        }
        nextQuery = json.member("nextLink")?.text
        if let nextQuery,
            nextQuery.isEmpty || nextQuery.contains("?") || nextQuery.hasPrefix("/") || nextQuery.contains("://")
        {
            throw .unreadable("no query: \(nextQuery)")
        }
        return PulledPage(rows: rows, isLast: nextQuery == nil)
    }
}
