import OData
public import Scalars

/// How long rows stay visible after they are created.
public struct RowLifetime: Sendable, Equatable {
    /// The calendar months.
    public let months: Int
    /// The fixed part, in milliseconds.
    public let milliseconds: Int64

    /// Creates a lifetime that is the sum of both parts.
    public init(months: Int, milliseconds: Int64) {
        self.months = months
        self.milliseconds = milliseconds
    }

    /// Returns the instant after which a row must have been created to be visible.
    public func boundary(at now: Instant) -> Instant {
        now.earlier(byMonths: months).earlier(byMilliseconds: milliseconds)
    }

    func condition(at now: Instant) -> Expression {
        .binary(.greater, .column("createdAt", at: 0), .literal(.date(boundary(at: now)), at: 0), at: 0)
    }
}
