import JSONText
import WireTesting

/// The .NET library 4, which follows `Link` to the end of the server's pages before it asks for one of its own.
struct DotNetLibrary: ClientLibrary {
    private let settings: PullSettings
    private var walk = StampWalk()
    /// The newest stamp and the rows since the library's own last request.
    private var newest: Int64?
    private var passed = 0
    private var link: String?

    init(_ settings: PullSettings) {
        self.settings = settings
        walk.token = 0
    }

    private func fields(hasBody: Bool = false, features: String) -> [String] {
        let agent = "ZUMO/4.0 (lang=Managed; os=Windows; os_version=10.0; arch=X64; version=4.0.2.0)"
        return [
            "X-ZUMO-INSTALLATION-ID: \(settings.installation.lowercased())", "ZUMO-API-VERSION: 2.0.0",
            "X-ZUMO-FEATURES: \(features)", "Accept: application/json", "X-ZUMO-VERSION: \(agent)",
            "User-Agent: \(agent)",
        ] + (hasBody ? ["Content-Type: application/json; charset=utf-8"] : [])
    }

    private static let value = PercentText(keeping: "$'(),")

    private func path(_ id: String? = nil) -> String {
        "/tables/\(settings.table)" + (id.map { "/" + PercentText.pathPart.encode($0) } ?? "")
    }

    func request(for write: RowWrite) -> ClientRequest? {
        switch write {
        case .insert(let row):
            ClientRequest(
                .post, path(), fields: fields(hasBody: true, features: "TU,OL"), body: .init(item: Answer.members(row)))
        case .update(let row, let version):
            ClientRequest(
                .patch, path(row.id), fields: fields(hasBody: true, features: "TU,OL") + Answer.ifMatch(version),
                body: .init(item: Answer.members(row)))
        case .delete(let id, let version):
            ClientRequest(.delete, path(id), fields: fields(features: "TU,OL") + Answer.ifMatch(version))
        case .undelete(let id, let version):
            ClientRequest(.post, path(id), fields: fields(features: "TU") + Answer.ifMatch(version))
        }
    }

    func lookup(_ id: String) -> ClientRequest {
        ClientRequest(.get, path(id), fields: fields(features: "TU"))
    }

    func row(of response: WireResponse) throws(SyncFailure) -> SyncedRow {
        guard Int(response["Content-Length"] ?? "") ?? 0 > 0 else { throw .unreadable("no expected content") }
        return try Answer.row(response)
    }

    func outcome(of write: RowWrite, _ response: WireResponse) throws(SyncFailure) -> WriteOutcome {
        switch (response.code, write) {
        case (200...299, .delete):
            // The library would set the tag on an item that isn't there.
            if response.body.isEmpty, response["ETag"] != nil { throw .unreadable("a tag without an item") }
            return .done(nil)
        case (200...299, _): return .done(try row(of: response))
        case (404, .delete): return .done(nil)
        case (404, _): return .gone
        case (409, _), (412, _): return .conflict(try row(of: response))
        default: throw .refused(status: response.status, body: response.text)
        }
    }

    mutating func beginPull() {
        walk.begin()
        link = nil
        newest = nil
        passed = 0
    }

    /// Stamps have seven digits and an offset.
    func pageRequest() -> ClientRequest {
        if let link { return ClientRequest(.get, link, fields: fields(features: "TU,OL,IP,LH")) }
        var parameters: [(String, String)] = []
        if settings.isIncremental {
            let date = QueryDate(ticks: walk.token ?? 0).tickText
            let later = "(updatedAt ge datetimeoffset'\(date)+00:00')"
            parameters.append(("$filter", settings.filter.map { "(\($0) and \(later))" } ?? later))
            parameters.append(("$orderby", "updatedAt"))
        } else if let filter = settings.filter {
            parameters.append(("$filter", filter))
        }
        parameters += [("$skip", "\(walk.skip)"), ("$top", "\(settings.pageSize)"), ("__includeDeleted", "true")]
        let query = parameters.map { "\($0)=\(Self.value.encode($1))" }.joined(separator: "&")
        return ClientRequest(.get, "\(path())?\(query)", fields: fields(features: "TU,OL,IP"))
    }

    mutating func take(_ response: WireResponse) throws(SyncFailure) -> PulledPage {
        let rows = try Answer.list(response, wrappedIn: "results").compactMap { SyncedRow($0) }
        for row in rows where settings.isIncremental {
            guard let date = row.updatedAt.flatMap(WireDate.init) else {
                throw .unreadable("updatedAt: \(row.updatedAt ?? "none")")
            }
            newest = max(newest ?? .min, date.ticks)
        }
        passed += rows.count
        link = try rows.isEmpty ? nil : Self.next(of: response)
        if link == nil {
            walk.pass(passed, newest: newest)
            passed = 0
        }
        return PulledPage(rows: rows, isLast: rows.isEmpty)
    }

    /// The address has no brackets, and `next` no quotes.
    private static func next(of response: WireResponse) throws(SyncFailure) -> String? {
        guard let field = response["Link"] else { return nil }
        guard let match = field.wholeMatch(of: /https?:\/\/[^\/]+(\/.*?);\s*rel\s*=\s*next/) else {
            throw .unreadable("Link: \(field)")
        }
        return String(match.output.1)
    }
}
