public import HTTPModel

/// Which generation a request speaks, by `ZUMO-API-VERSION` or by the marks that v1 clients leave.
public enum APIVersion {
    /// Why a request's generation can't be told.
    public enum Fault: Error, Sendable, Equatable {
        /// The request names none, and the configuration wants one.
        case missing
        /// Neither 2.x.y nor 3.x; the text is the client's.
        case unknown(String)
    }

    /// Finds a request's generation.
    ///
    /// The version decides, the header field before the query member, whose name may be in any case. Without one an
    /// application key, `__systemProperties` or a name with `__` in query or body means v1.
    /// - Parameter fallback: the generation of a request that shows none of these.
    public static func generation(
        of request: HTTPRequest, _ target: RequestTarget, isRequired: Bool, fallback: Generation
    ) throws(Fault) -> Generation {
        if let version = request.fields["ZUMO-API-VERSION"] ?? queryMember(of: target) {
            guard let generation = generation(named: version) else { throw .unknown(version) }
            return generation
        }
        if ServicesMarks.areOn(request, target) { return .v1 }
        if isRequired { throw .missing }
        return fallback
    }

    /// The same where no version is asked for, and one that doesn't exist is no reason to refuse.
    public static func generation(
        of request: HTTPRequest, _ target: RequestTarget, else fallback: Generation
    ) -> Generation {
        (try? generation(of: request, target, isRequired: false, fallback: fallback)) ?? fallback
    }

    /// v2 wants all three numbers, as the Node server did; v3 does with two, as Datasync did.
    private static func generation(named version: String) -> Generation? {
        let parts = version.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (48...57).contains($0) } }) else { return nil }
        return switch (parts[0], parts.count) {
        case ("2", 3): .v2
        case ("3", 2), ("3", 3): .v3
        default: nil
        }
    }

    private static func queryMember(of target: RequestTarget) -> String? {
        target.query.first { $0.name.utf8.count == 16 && $0.name.lowercased() == "zumo-api-version" }?.value
    }
}
