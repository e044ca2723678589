import JSONText
import WireTesting

/// The JavaScript library 2.
struct JavaScriptLibrary: ClientLibrary {
    private let settings: PullSettings
    private var walk = StampWalk()
    private let start: Int64

    /// - Parameter minutesEast: the device's time zone, which shows in the first pull: the library begins at the local
    ///   midnight before the last day of 1969.
    init(_ settings: PullSettings, minutesEast: Int64 = 540) {
        self.settings = settings
        start = (-86_400 - minutesEast * 60) * 10_000_000
        walk.token = start
    }

    private func fields(hasBody: Bool = false, features: String) -> [String] {
        let agent = "ZUMO/2.0 (lang=Cordova; os=--; os_version=--; arch=--; version=2.0.1)"
        return [
            "X-ZUMO-INSTALLATION-ID: \(settings.installation.lowercased())", "X-ZUMO-VERSION: \(agent)",
            "ZUMO-API-VERSION: 2.0.0", "X-ZUMO-FEATURES: \(features)",
        ] + (hasBody ? ["Content-Type: application/json"] : [])
    }

    /// What a browser makes of the library's text, in which blanks are raw.
    private static let query = PercentText(keeping: "$'(),:&=*/")
    /// What `encodeURIComponent` leaves.
    private static let component = PercentText(keeping: "'()*!")

    private func path(_ id: String? = nil) -> String {
        "/tables/\(settings.table)" + (id.map { "/" + Self.component.encode($0) } ?? "")
    }

    func request(for write: RowWrite) -> ClientRequest? {
        switch write {
        case .insert(let row):
            ClientRequest(
                .post, path(), fields: fields(hasBody: true, features: "OL"), body: .init(item: Answer.members(row)))
        case .update(let row, let version):
            ClientRequest(
                .patch, path(row.id),
                fields: fields(hasBody: true, features: version == nil ? "OL" : "OL,OC") + Answer.ifMatch(version),
                body: .init(item: Answer.members(row)))
        case .delete(let id, let version):
            ClientRequest(
                .delete, path(id), fields: fields(features: version == nil ? "OL" : "OL,OC") + Answer.ifMatch(version))
        case .undelete(let id, let version):
            ClientRequest(
                .post, path(id), fields: fields(features: version == nil ? "OL" : "OL,OC") + Answer.ifMatch(version))
        }
    }

    func lookup(_ id: String) -> ClientRequest {
        ClientRequest(.get, path(id), fields: fields(features: "TU"))
    }

    func row(of response: WireResponse) throws(SyncFailure) -> SyncedRow {
        try Answer.row(response)
    }

    func outcome(of write: RowWrite, _ response: WireResponse) throws(SyncFailure) -> WriteOutcome {
        switch response.code {
        case ..<400:
            if case .delete = write { return .done(nil) }
            return .done(try row(of: response))
        case 404: return .gone
        case 409: return .conflict(nil)
        case 412:
            // The row has no `error`, so that the message can only come from the status line.
            guard response.status == "412 Precondition Failed" else { throw .unreadable(response.status) }
            return .conflict(try row(of: response))
        default: throw .refused(status: response.status, body: response.text)
        }
    }

    /// Every pull pages by stamps; without a query id the token is forgotten with the pull.
    mutating func beginPull() {
        if !settings.isIncremental { walk.token = start }
        walk.begin()
    }

    func pageRequest() -> ClientRequest {
        let date = QueryDate(ticks: walk.token ?? start).millisecondText
        let later = "(updatedAt ge datetimeoffset'\(date)')"
        let filter = settings.filter.map { "(\($0) and \(later))" } ?? later
        let skip = walk.skip > 0 ? "&$skip=\(walk.skip)" : ""
        let query = "$filter=\(filter)&$orderby=updatedAt\(skip)&$top=\(settings.pageSize)&__includeDeleted=true"
        return ClientRequest(.get, "\(path())?\(Self.query.encode(query))", fields: fields(features: "TU,OL,IP"))
    }

    mutating func take(_ response: WireResponse) throws(SyncFailure) -> PulledPage {
        let values = try Answer.list(response, wrappedIn: "results")
        for value in values {
            guard case .boolean? = value.member("deleted") else { throw .unreadable("deleted is no boolean") }
        }
        let rows = values.compactMap { SyncedRow($0) }
        var newest: Int64?
        if let last = rows.last {
            guard let date = last.updatedAt.flatMap(WireDate.init), date.endsInZ else {
                throw .unreadable("updatedAt: \(last.updatedAt ?? "none")")
            }
            newest = date.roundedMilliseconds * 10_000
        }
        walk.pass(rows.count, newest: newest)
        return PulledPage(rows: rows, isLast: rows.isEmpty)
    }
}
