import ByteText
import HTTPModel
import JSONText

/// Answers `/_test/faults`: lists the rules with their counts, adds and removes them.
struct FaultRoutes: Sendable {
    let plan: FaultPlan
    /// Whether this is the unnamed world, which new connections belong to until they send a request.
    let isRoot: Bool

    /// Answers a request.
    /// - Parameter rest: the path's segments after `faults`.
    /// - Returns: nil if there is nothing at that path.
    func answer(_ request: HTTPRequest, rest: some Collection<String>) throws(RecordFault) -> HTTPResponse? {
        guard rest.count <= 1 else { return nil }
        switch (request.method, rest.first) {
        case (.get, nil), (.head, nil): return list(plan.rules)
        case (.get, let name?), (.head, let name?): return list(try named(name))
        case (.post, nil): return try add(request.body)
        case (.delete, nil): plan.removeAll()
        case (.delete, let name?):
            guard plan.remove(name) else { throw .unknown("There is no fault of this name.") }
        default: throw .method(allow: rest.isEmpty ? "GET, HEAD, POST, DELETE" : "GET, HEAD, DELETE")
        }
        return HTTPResponse(.noContent)
    }

    private func named(_ name: String) throws(RecordFault) -> [FaultPlan.Listed] {
        let rules = plan.rules.filter { $0.rule.name.isExactly(name) }
        guard !rules.isEmpty else { throw .unknown("There is no fault of this name.") }
        return rules
    }

    private func add(_ body: [UInt8]) throws(RecordFault) -> HTTPResponse {
        let rule = try FaultRule(body)
        if rule.effect == .refused, !isRoot {
            throw .body("'refuse' is about connections, and a connection is no world's before its first request.")
        }
        guard let name = plan.add(rule) else {
            throw .body("There are \(FaultPlan.maximumRules) faults already; remove some.")
        }
        return list(try named(name), .created)
    }

    private func list(_ rules: [FaultPlan.Listed], _ status: HTTPStatus = .ok) -> HTTPResponse {
        .testJSON(status, ["faults": .array(rules.map(\.json))])
    }
}
