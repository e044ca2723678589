public import Scalars

/// A store that remembers which time it was, so that a clock that is wrong from the start is noticed.
public protocol TimeStore: TableStore {
    /// What the database knows of the time.
    func timeReading() async throws(TableError) -> TimeReading

    /// Remembers a time that was believed; a later one stays.
    func remember(believed: Instant) async throws(TableError)

    /// Removes what the store keeps only for a while, besides rows: who wrote to the database, long ago.
    func forgetWriters(before: Instant) async throws(TableError)
}

/// What a database knows of the time.
public struct TimeReading: Sendable, Equatable {
    /// What its own clock says; nil if it has none.
    public var clock: Instant?
    /// The latest trusted time; nil if there was none.
    public var believed: Instant?
    /// The latest stamp of any table; nil if none was given.
    public var latestStamp: Instant?

    /// Puts a reading together.
    public init(clock: Instant? = nil, believed: Instant? = nil, latestStamp: Instant? = nil) {
        self.clock = clock
        self.believed = believed
        self.latestStamp = latestStamp
    }

    /// The latest time that is known to have been. Stamps may be of a clock that was wrong, so that they count only before
    /// any time was believed.
    public var known: Instant? { believed ?? latestStamp }
}
