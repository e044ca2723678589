import HTTPModel
import Tables

/// The conditional fields of a v3 request (RFC 9110 section 13), as Datasync evaluated them: for writes all four. A tag
/// that a proxy made weak matches its version in `If-Match`, but nothing in `If-None-Match` (v3-111, v3-112).
struct Conditions {
    private var ifMatch: Wanted?
    private var ifNoneMatch: EntityTags?
    /// In seconds since 1970, as all times here: the resolution of HTTP dates.
    private var ifUnmodifiedSince: Int64?
    private var ifModifiedSince: Int64?

    enum Verdict {
        case holds
        /// If-None-Match or If-Modified-Since shows that the client has the current row.
        case unchanged
        /// If-Match or If-Unmodified-Since fails.
        case failed
    }

    /// What `If-Match` names. Texts that aren't versions match nothing.
    private enum Wanted {
        case any
        case versions([Version])

        /// - Returns: nil if there is no such field or all are blank.
        init?(_ values: [String]) {
            switch EntityTags(values) {
            case nil: return nil
            case .any: self = .any
            case .strong(let tags):
                var versions = tags.compactMap { Version(wireText: $0) }
                // Neither versions nor the additions of proxies contain commas.
                if versions.count < tags.count || values.contains(where: { $0.contains("W/") }) {
                    versions += values.flatMap { $0.split(separator: ",") }.compactMap { Version(rewritten: $0) }
                        .filter { !versions.contains($0) }
                }
                self = .versions(versions)
            }
        }
    }

    /// Reads the conditions. A date that can't be parsed is ignored (RFC 9110 section 13.1.3). So are the tags of a
    /// write's `If-None-Match`: the caches of some platforms add them for rows that they hold, and the app can't
    /// prevent it (v3-111). For a write only `*` is checked, and dates are ignored next to tags either way.
    /// - Parameter clock: determines the century of a two-digit year.
    init(_ fields: HTTPFields, ofWrite isWrite: Bool, clock: Clock = SystemClock.now) {
        ifMatch = Wanted(fields.values("If-Match"))
        ifNoneMatch = EntityTags(fields.values("If-None-Match"))
        ifUnmodifiedSince = fields["If-Unmodified-Since"].flatMap { Self.seconds($0, clock) }
        ifModifiedSince = fields["If-Modified-Since"].flatMap { Self.seconds($0, clock) }
        if isWrite, case .strong? = ifNoneMatch { ifNoneMatch = .strong([]) }
    }

    private static func seconds(_ text: String, _ clock: Clock) -> Int64? {
        HTTPDate.secondsSinceEpoch(from: text, now: clock().secondsRoundedDown)
    }

    /// The precondition that the store can check by itself; nil if the row has to be read first.
    var precondition: Precondition? {
        guard ifNoneMatch == nil, ifModifiedSince == nil else { return nil }
        switch ifMatch {
        case nil: return ifUnmodifiedSince == nil ? Precondition.none : nil
        case .any: return Precondition.none
        case .versions(let versions):
            guard let version = versions.first else { return .unmatchable }
            return versions.count == 1 ? .version(version) : nil
        }
    }

    /// Evaluates the conditions for the current row.
    func verdict(on row: DatasyncRow) -> Verdict {
        let seconds = row.updatedAt?.secondsRoundedDown ?? 0
        if let ifMatch {
            switch ifMatch {
            case .any: break
            case .versions(let versions): if !versions.contains(where: { $0 == row.version }) { return .failed }
            }
        } else if let ifUnmodifiedSince, seconds > ifUnmodifiedSince {
            return .failed
        }
        if let ifNoneMatch {
            if Self.matches(ifNoneMatch, row) { return .unchanged }
        } else if let ifModifiedSince, seconds <= ifModifiedSince {
            return .unchanged
        }
        return .holds
    }

    private static func matches(_ tags: EntityTags, _ row: DatasyncRow) -> Bool {
        switch tags {
        case .any: true
        case .strong(let tags): tags.contains { Version(wireText: $0).map { $0 == row.version } ?? false }
        }
    }
}
