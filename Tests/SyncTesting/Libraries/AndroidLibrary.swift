import JSONText
import WireTesting

/// The Android library 3.5.
struct AndroidLibrary: ClientLibrary {
    private let settings: PullSettings
    private var walk = StampWalk()

    init(_ settings: PullSettings) {
        self.settings = settings
    }

    let mergesAnswers = true

    private static let value = PercentText(keeping: "$'(),:")

    private func fields(hasBody: Bool = false) -> [String] {
        [
            "ZUMO-API-VERSION: 2.0.0", "X-ZUMO-VERSION: 3.5.1",
            "User-Agent: ZUMO/1.0 (lang=Java; os=Android; os_version=6.0; arch=armeabi-v7a; version=3.5.1)",
            "Accept: application/json", "Accept-Encoding: gzip",
            "X-ZUMO-INSTALLATION-ID: \(settings.installation.lowercased())", "X-ZUMO-FEATURES: TU,OL",
        ] + (hasBody ? ["Content-Type: application/json"] : [])
    }

    private func path(_ id: String? = nil) -> String {
        "/tables/" + PercentText.pathPart.encode(settings.table)
            + (id.map { "/" + PercentText.pathPart.encode($0) } ?? "")
    }

    func request(for write: RowWrite) -> ClientRequest? {
        switch write {
        case .insert(let row):
            ClientRequest(.post, path(), fields: fields(hasBody: true), body: .init(item: Answer.members(row)))
        case .update(let row, let version):
            ClientRequest(
                .patch, path(row.id), fields: fields(hasBody: true) + Answer.ifMatch(version),
                body: .init(item: Answer.members(row)))
        case .delete(let id, let version):
            ClientRequest(.delete, path(id), fields: fields() + Answer.ifMatch(version))
        case .undelete(let id, let version):
            ClientRequest(.post, path(id), fields: fields(hasBody: true) + Answer.ifMatch(version))
        }
    }

    func lookup(_ id: String) -> ClientRequest {
        ClientRequest(.get, path(id), fields: fields())
    }

    func row(of response: WireResponse) throws(SyncFailure) -> SyncedRow {
        try Answer.row(response)
    }

    func outcome(of write: RowWrite, _ response: WireResponse) throws(SyncFailure) -> WriteOutcome {
        switch (response.code, write) {
        case (200...299, .delete), (404, .delete): return .done(nil)
        case (200...299, _): return .done(try row(of: response))
        case (404, _): return .gone
        case (409, _): return .conflict(nil)
        case (412, _): return .conflict(try row(of: response))
        default: throw .refused(status: response.status, body: response.text)
        }
    }

    mutating func beginPull() {
        walk.begin()
    }

    /// The filter has no parentheses of its own, and the first pull has none.
    func pageRequest() -> ClientRequest {
        var conditions = settings.filter.map { [$0] } ?? []
        if settings.isIncremental, let token = walk.token {
            conditions.append("updatedAt ge datetimeoffset'\(QueryDate(ticks: token).millisecondText)'")
        }
        let filter = conditions.isEmpty ? [] : [("$filter", conditions.joined(separator: " and "))]
        let order = settings.isIncremental ? "updatedAt asc" : "id asc"
        let parameters =
            filter + [
                ("$top", "\(settings.pageSize)"), ("$skip", "\(walk.skip)"), ("$orderby", order),
                ("__includeDeleted", "true"),
            ]
        let query = parameters.map { "\($0)=\(Self.value.encode($1))" }.joined(separator: "&")
        return ClientRequest(.get, path() + "?" + query, fields: fields())
    }

    /// The token is the stamp of the last row, whether or not it is the newest.
    mutating func take(_ response: WireResponse) throws(SyncFailure) -> PulledPage {
        let rows = try Answer.list(response, wrappedIn: "results").compactMap { SyncedRow($0) }
        var newest: Int64?
        if settings.isIncremental, let last = rows.last {
            guard let text = last.updatedAt, let date = WireDate(text), date.endsInZ else {
                throw .unreadable("updatedAt: \(last.updatedAt ?? "none")")
            }
            newest = date.lenientMilliseconds * 10_000
        }
        walk.pass(rows.count, newest: newest)
        return PulledPage(rows: rows, isLast: rows.isEmpty)
    }
}
