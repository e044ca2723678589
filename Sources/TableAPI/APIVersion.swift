import HTTPModel

/// The check of `ZUMO-API-VERSION`, a header field or a query member whose name is compared without regard to case.
enum APIVersion {
    /// Refuses a version that is not 2.x, and its absence where the configuration says so.
    /// The header counts before the query (v2, as the Node server did).
    static func check(
        _ request: HTTPRequest, _ target: RequestTarget, isRequired: Bool
    ) throws(RequestError) {
        guard let version = request.fields["ZUMO-API-VERSION"] ?? queryMember(of: target) else {
            if isRequired { throw .versionMissing }
            return
        }
        let parts = version.split(separator: ".", omittingEmptySubsequences: false)
        let isThreeNumbers =
            parts.count == 3 && parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { (48...57).contains($0) } }
        guard isThreeNumbers, parts[0] == "2" || parts[0] == "3" else { throw .versionUnknown(version) }
        guard parts[0] == "2" else { throw .generationUnavailable(version) }
    }

    private static func queryMember(of target: RequestTarget) -> String? {
        target.query.first { $0.name.utf8.count == 16 && $0.name.lowercased() == "zumo-api-version" }?.value
    }
}
