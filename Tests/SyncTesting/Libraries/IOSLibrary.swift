import JSONText
import WireTesting

/// The iOS library: 2.x, which speaks to Mobile Services, and 3.x, which speaks to Mobile Apps.
struct IOSLibrary: ClientLibrary {
    enum Generation {
        /// - Parameter properties: the system columns of the app's Core Data model, in the library's order.
        case mobileServices(applicationKey: String?, properties: [String])
        case mobileApps
    }

    private let generation: Generation
    private let settings: PullSettings
    private var walk = StampWalk()
    /// The library keeps parameters in a dictionary, so that they come in any order.
    private var turn = 0

    init(_ generation: Generation, _ settings: PullSettings) {
        self.generation = generation
        self.settings = settings
        walk.token = 0
    }

    private var isFirstGeneration: Bool {
        if case .mobileServices = generation { true } else { false }
    }

    // MARK: Requests

    private func fields(hasBody: Bool = false) -> [String] {
        let agent: (_ version: String, _ full: String) -> String = { version, full in
            "ZUMO/\(version) (lang=objective-c; os=iOS; os_version=9.3; arch=iPhone; version=\(full))"
        }
        let body = hasBody ? ["Content-Type: application/json"] : []
        let installation = "X-ZUMO-INSTALLATION-ID: \(settings.installation)"
        switch generation {
        case .mobileServices(let key, _):
            let mine = agent("2.2", "2.2.2")
            return (key.map { ["X-ZUMO-APPLICATION: \($0)"] } ?? [])
                + [installation, "X-ZUMO-VERSION: \(mine)", "User-Agent: \(mine)"] + body
        case .mobileApps:
            let mine = agent("3.3", "3.3.0")
            return ["ZUMO-API-VERSION: 2.0.0", installation, "X-ZUMO-VERSION: \(mine)", "User-Agent: \(mine)"] + body
        }
    }

    private static let value = PercentText(keeping: "$'(),")

    /// - Parameter parameters: encoded already.
    private func path(_ id: String? = nil, _ parameters: [(String, String)]) -> String {
        let path =
            "/tables/" + PercentText.pathPart.encode(settings.table)
            + (id.map { "/" + PercentText.pathPart.encode($0) } ?? "")
        if parameters.isEmpty { return path }
        let turned = parameters.indices.map { parameters[($0 + turn) % parameters.count] }
        return path + "?" + turned.map { "\($0)=\($1)" }.joined(separator: "&")
    }

    /// The system columns that 2.x asks for: those of the model, and in a pull those that it needs itself.
    private func systemProperties(inPull: Bool) -> [(String, String)] {
        guard case .mobileServices(_, let properties) = generation else { return [] }
        let wanted = Set(properties + (inPull ? ["__deleted"] + (settings.isIncremental ? ["__updatedAt"] : []) : []))
        let names = ["__createdAt", "__updatedAt", "__deleted", "__version"].filter {
            wanted.contains($0) && (inPull || $0 != "__deleted")
        }
        return names.isEmpty ? [] : [("__systemProperties", names.joined(separator: "%2C"))]
    }

    func request(for write: RowWrite) -> ClientRequest? {
        let parameters = systemProperties(inPull: false)
        switch write {
        case .insert(let row):
            return ClientRequest(
                .post, path(nil, parameters), fields: fields(hasBody: true), body: .init(item: Answer.members(row)))
        case .update(let row, let version):
            return ClientRequest(
                .patch, path(row.id, parameters), fields: fields(hasBody: true) + Answer.ifMatch(version),
                body: .init(item: Answer.members(row)))
        case .delete(let id, let version):
            return ClientRequest(.delete, path(id, parameters), fields: fields() + Answer.ifMatch(version))
        case .undelete(let id, let version):
            return ClientRequest(.post, path(id, parameters), fields: fields() + Answer.ifMatch(version))
        }
    }

    func lookup(_ id: String) -> ClientRequest {
        ClientRequest(.get, path(id, systemProperties(inPull: false)), fields: fields())
    }

    // MARK: Answers

    func row(of response: WireResponse) throws(SyncFailure) -> SyncedRow {
        try Answer.row(response, underscored: isFirstGeneration)
    }

    func outcome(of write: RowWrite, _ response: WireResponse) throws(SyncFailure) -> WriteOutcome {
        switch response.code {
        case ..<400:
            if case .delete = write { return .done(nil) }
            return .done(try row(of: response))
        case 404: return .gone
        case 409: return .conflict(nil)
        // Without an object the library calls back without any error, and the conflict is gone.
        case 412: return .conflict(try row(of: response))
        default: throw .refused(status: response.status, body: response.text)
        }
    }

    // MARK: Pull

    mutating func beginPull() {
        walk.begin()
    }

    func pageRequest() -> ClientRequest {
        let stamp = isFirstGeneration ? "__updatedAt" : "updatedAt"
        var parameters: [(String, String)] = []
        if settings.isIncremental {
            let date = QueryDate(ticks: walk.token ?? 0).millisecondText
            let later = "(\(stamp) ge datetimeoffset'\(date)')"
            let filter = settings.filter.map { "(\($0) and \(later))" } ?? later
            parameters.append(("$filter", Self.value.encode(filter)))
            parameters.append(("$orderby", "\(stamp)%20asc"))
        } else if let filter = settings.filter {
            parameters.append(("$filter", Self.value.encode(filter)))
        }
        parameters += [("$top", "\(settings.pageSize)"), ("$skip", "\(walk.skip)"), ("__includeDeleted", "true")]
        return ClientRequest(.get, path(nil, parameters + systemProperties(inPull: true)), fields: fields())
    }

    mutating func take(_ response: WireResponse) throws(SyncFailure) -> PulledPage {
        let rows = try Answer.list(response, wrappedIn: "results").compactMap {
            SyncedRow($0, underscored: isFirstGeneration)
        }
        turn += 1
        var newest: Int64?
        for row in rows where settings.isIncremental {
            // Other forms stay text, and the library crashes when it compares them.
            guard let text = row.updatedAt, let date = WireDate(text), date.endsInZ,
                [0, 3].contains(date.fraction.count)
            else { throw .unreadable("updatedAt: \(row.updatedAt ?? "none")") }
            newest = max(newest ?? .min, date.milliseconds * 10_000)
        }
        walk.pass(rows.count, newest: newest)
        return PulledPage(rows: rows, isLast: rows.isEmpty)
    }
}
