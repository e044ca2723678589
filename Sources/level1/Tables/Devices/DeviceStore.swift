public import Scalars

/// The activity of installations of apps, stored beside the tables and shared by all servers of the database.
///
/// There is one record per installation and table, and at most `DeviceLimits.records`: those not seen for longest are
/// removed.
public protocol DeviceStore: Sendable {
    /// Adds sightings to the stored ones, all or none. If the database's answer is lost, conflicts may count twice.
    func record(_ sightings: [DeviceSighting]) async throws(TableError)

    /// Returns the installations seen last, newest first.
    func devices(limit: Int) async throws(TableError) -> [Device]

    /// Returns how many rows of tables have changed since a stamp, including tombstones, each counted up to a limit.
    func countChanges(since places: [TableProgress], limit: Int) async throws(TableError) -> [Int]

    /// Removes records not seen since an instant.
    /// - Returns: the number of records removed.
    func forgetDevices(unseenSince instant: Instant) async throws(TableError) -> Int
}

/// Limits on the records of installations.
public enum DeviceLimits {
    /// The maximum number of records, one per installation and table.
    public static let records = 10_000
    /// How long a record is kept after the last sighting.
    public static let age = Duration.seconds(90 * 86_400)
}

/// How far a client has come in a table.
public struct TableProgress: Sendable {
    /// The table.
    public let table: Table
    /// The greatest `updatedAt` that was reached.
    public let stamp: Instant

    /// Creates a progress.
    public init(_ table: Table, _ stamp: Instant) {
        self.table = table
        self.stamp = stamp
    }
}
