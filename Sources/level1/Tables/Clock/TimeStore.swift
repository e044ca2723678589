public import Scalars

/// A store that remembers the time, so that a clock that is wrong from the start is noticed.
public protocol TimeStore: TableStore {
    /// Returns what the database knows about the time.
    func timeReading() async throws(TableError) -> TimeReading

    /// Records a time that was trusted, unless a later one is stored.
    func remember(believed: Instant) async throws(TableError)

    /// Removes what the store keeps only for a while, besides rows: old records of who wrote to the database.
    func forgetWriters(before: Instant) async throws(TableError)
}

/// What a database knows about the time.
public struct TimeReading: Sendable, Equatable {
    /// The time of its own clock; nil if it has none.
    public var clock: Instant?
    /// The latest trusted time; nil if there was none.
    public var believed: Instant?
    /// The latest stamp of any table; nil if there is none.
    public var latestStamp: Instant?

    /// Creates a reading.
    public init(clock: Instant? = nil, believed: Instant? = nil, latestStamp: Instant? = nil) {
        self.clock = clock
        self.believed = believed
        self.latestStamp = latestStamp
    }

    /// The latest time known to have passed. Stamps may come from a clock that was wrong, so they only count until a
    /// time was trusted.
    public var known: Instant? { believed ?? latestStamp }
}
