import JSONText
import WireTesting

/// The Datasync library 5 and 6.
struct DatasyncLibrary: ClientLibrary {
    enum Release {
        /// 5.1 to 6.0.6: makes an absolute URL of a next link.
        case five
        /// From 6.0.7: asks for next links that are paths.
        case six
    }

    private let release: Release
    private let settings: PullSettings
    /// Milliseconds since 1970; nil before the first row.
    private var token: Int64?
    private var next: String?

    init(_ release: Release, _ settings: PullSettings) {
        self.release = release
        self.settings = settings
    }

    private func fields(hasBody: Bool = false) -> [String] {
        let version = release == .five ? "5.1.1" : "6.1.1"
        let agent = "Datasync/\(version) (lang=Managed;os=Windows/10.0;arch=X64;version=\(version).0)"
        return [
            "ZUMO-API-VERSION: 3.0.0", "User-Agent: \(agent)", "X-ZUMO-VERSION: \(agent)",
            "X-ZUMO-INSTALLATION-ID: \(settings.installation.lowercased())",
        ] + (hasBody ? ["Content-Type: application/json; charset=utf-8"] : [])
    }

    private func path(_ id: String? = nil) -> String {
        "/tables/\(settings.table)" + (id.map { "/" + $0 } ?? "")
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
        case .undelete(let id, let version):
            ClientRequest(
                .patch, path(id), fields: fields(hasBody: true) + Answer.ifMatch(version), body: #"{"deleted":false}"#)
        }
    }

    /// The version stays in the body, deleted and updatedAt don't.
    private static func members(_ row: SyncedRow) -> [(name: String, value: JSONValue)] {
        Answer.members(row) + (row.version.map { [("version", .string($0))] } ?? [])
    }

    func lookup(_ id: String) -> ClientRequest {
        ClientRequest(.get, path(id), fields: fields())
    }

    func row(of response: WireResponse) throws(SyncFailure) -> SyncedRow {
        guard Int(response["Content-Length"] ?? "") ?? 0 > 0 else { throw .unreadable("expected content") }
        return try Answer.row(response)
    }

    func outcome(of write: RowWrite, _ response: WireResponse) throws(SyncFailure) -> WriteOutcome {
        switch (response.code, write) {
        case (200...299, .delete), (404, .delete), (410, .delete): return .done(nil)
        case (200...299, _): return .done(try row(of: response))
        case (404, _), (410, _): return .gone
        case (409, _), (412, _): return .conflict(try row(of: response))
        default: throw .refused(status: response.status, body: response.text)
        }
    }

    mutating func beginPull() {
        next = nil
    }

    /// Tombstones are asked for only when there is a token.
    func pageRequest() -> ClientRequest {
        let options = release == .six ? ["X-ZUMO-Options: nextLink=path"] : []
        if let next { return ClientRequest(.get, next, fields: fields() + options) }
        var conditions = settings.filter.map { [$0] } ?? []
        if let token {
            let date = QueryDate(ticks: token * 10_000).millisecondText
            conditions.append("(updatedAt gt cast(\(date),Edm.DateTimeOffset))")
        }
        var filter = conditions.joined(separator: " and ")
        if conditions.count > 1 { filter = "(\(filter))" }
        let query =
            (filter.isEmpty ? "" : "$filter=\(PercentText(keeping: "$'(),:").encode(filter))&")
            + "$orderby=updatedAt&$count=true" + (token == nil ? "" : "&__includedeleted=true")
        return ClientRequest(.get, "\(path())?\(query)", fields: fields() + options)
    }

    /// A missing next link ends the pull; the token is kept row by row.
    mutating func take(_ response: WireResponse) throws(SyncFailure) -> PulledPage {
        guard Int(response["Content-Length"] ?? "") ?? 0 > 0 else { throw .unreadable("expected content") }
        let rows = try Answer.list(response, wrappedIn: "items").map { value throws(SyncFailure) in
            guard let row = SyncedRow(value) else { throw .unreadable("a row without an id") }
            return row
        }
        for row in rows {
            if let date = row.updatedAt.flatMap(WireDate.init) { token = max(token ?? .min, date.milliseconds) }
        }
        let json = try Answer.json(response)
        next = try json.member("nextLink")?.text.map { link throws(SyncFailure) in try target(of: link) }
        return PulledPage(rows: rows, isLast: next == nil)
    }

    private func target(of link: String) throws(SyncFailure) -> String {
        if release == .six, link.first == "/" { return link }
        guard let match = link.wholeMatch(of: /https?:\/\/[^\/]+(\/.*)/) else {
            throw .unreadable("no absolute URL: \(link)")
        }
        // System.Uri escapes what came unescaped.
        return String(match.output.1.replacing(" ", with: "%20"))
    }
}
