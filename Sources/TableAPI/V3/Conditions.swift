import HTTPModel
import OData
import Tables

/// The conditional fields of a v3 request (RFC 9110 section 13), as Datasync evaluated them: for writes all four, and
/// weak tags never match (v3-111, v3-112).
struct Conditions {
    private var ifMatch: EntityTags?
    private var ifNoneMatch: EntityTags?
    /// Seconds since 1970, as all times here: the grain of HTTP dates.
    private var ifUnmodifiedSince: Int64?
    private var ifModifiedSince: Int64?

    enum Verdict {
        case holds
        /// If-None-Match or If-Modified-Since says that the client has the row as it is.
        case unchanged
        /// If-Match or If-Unmodified-Since fails.
        case failed
    }

    /// A date that can't be read is no condition (RFC 9110 section 13.1.3).
    /// - Parameter clock: tells the century of a year that has two digits.
    init(_ fields: HTTPFields, clock: Clock = SystemClock.now) {
        ifMatch = EntityTags(fields.values("If-Match"))
        ifNoneMatch = EntityTags(fields.values("If-None-Match"))
        ifUnmodifiedSince = fields["If-Unmodified-Since"].flatMap { Self.seconds($0, clock) }
        ifModifiedSince = fields["If-Modified-Since"].flatMap { Self.seconds($0, clock) }
    }

    private static func seconds(_ text: String, _ clock: Clock) -> Int64? {
        HTTPDate.secondsSinceEpoch(from: text, now: clock().secondsRoundedDown)
    }

    /// What the store can decide by itself; nil where the row has to be looked at.
    var precondition: Precondition? {
        guard ifNoneMatch == nil, ifModifiedSince == nil else { return nil }
        switch ifMatch {
        case nil: return ifUnmodifiedSince == nil ? Precondition.none : nil
        case .any: return Precondition.none
        case .strong(let tags):
            guard let tag = tags.first else { return .unmatchable }
            return tags.count == 1 ? Version(wireText: tag).map(Precondition.version) ?? .unmatchable : nil
        }
    }

    /// What the conditions say of a row as it stands.
    func verdict(on row: DatasyncRow) -> Verdict {
        let seconds = row.updatedAt?.secondsRoundedDown ?? 0
        if let ifMatch {
            if !Self.matches(ifMatch, row) { return .failed }
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
