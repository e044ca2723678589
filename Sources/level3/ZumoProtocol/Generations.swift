public import HTTPModel

/// The generations that a server speaks, distinguished by `ZUMO-API-VERSION` or by the marks that v1 clients leave.
public struct Generations: Sendable {
    /// All supported generations.
    public let all: [Generation]
    /// The generation of a request that doesn't specify one.
    public let fallback: Generation
    /// Whether tables refuse a request that doesn't specify one.
    public let isVersionRequired: Bool

    /// Creates a list, in which the first generation that a request fits is the one used.
    public init(
        _ all: [Generation] = Generation.allCases, fallback: Generation = .v2, isVersionRequired: Bool = false
    ) {
        self.all = all
        self.fallback = fallback
        self.isVersionRequired = isVersionRequired
    }

    /// Why a request's generation can't be determined.
    public enum Fault: Error, Sendable, Equatable {
        /// The request names none, and the configuration requires one.
        case missing
        /// A version that no generation has; the text is the client's.
        case unknown(String)
    }

    /// Determines a request's generation.
    ///
    /// The version decides, the header field before the query parameter, whose name may be in any case. Without a
    /// version, an application key, `__systemProperties` or a name with `__` in query or body means v1.
    public func told(by request: HTTPRequest, _ target: RequestTarget) throws(Fault) -> Generation {
        if let version = request.fields["ZUMO-API-VERSION"] ?? Self.queryMember(of: target) {
            guard let generation = generation(of: version) else { throw .unknown(version) }
            return generation
        }
        if ServicesMarks.areOn(request, target), let marked = all.first(where: { $0.version == nil }) { return marked }
        if isVersionRequired { throw .missing }
        return fallback
    }

    /// Determines a request's generation, or the fallback if none is given or the version is unknown.
    public func assumed(for request: HTTPRequest, _ target: RequestTarget) -> Generation {
        (try? told(by: request, target)) ?? fallback
    }

    /// Returns the generation of that name; nil if there is none.
    public func named(_ name: String) -> Generation? { all.first { $0.rawValue == name } }

    private func generation(of version: String) -> Generation? {
        // What the client libraries send, and so nearly every request.
        if let usual = all.first(where: { $0.version?.text == version }) { return usual }
        let parts = version.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (48...57).contains($0) } }) else { return nil }
        return all.first { generation in
            guard let mark = generation.version else { return false }
            return parts[0] == mark.major && mark.counts.contains(parts.count)
        }
    }

    private static func queryMember(of target: RequestTarget) -> String? {
        target.query.first { $0.name.utf8.count == 16 && $0.name.lowercased() == "zumo-api-version" }?.value
    }
}
