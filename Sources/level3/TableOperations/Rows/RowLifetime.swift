import OData
public import Scalars

/// How long rows are seen after they were made.
public struct RowLifetime: Sendable, Equatable {
    /// The part in calendar months.
    public let months: Int
    /// The part of a fixed length.
    public let milliseconds: Int64

    /// Makes a lifetime of both parts together.
    public init(months: Int, milliseconds: Int64) {
        self.months = months
        self.milliseconds = milliseconds
    }

    /// The instant after which a row has to have been made to be seen.
    public func boundary(at now: Instant) -> Instant {
        now.earlier(byMonths: months).earlier(byMilliseconds: milliseconds)
    }

    func condition(at now: Instant) -> Expression {
        .binary(.greater, .column("createdAt", at: 0), .literal(.date(boundary(at: now)), at: 0), at: 0)
    }
}
