public import Scalars

/// What installations of apps were seen to do, kept beside the tables and shared by all servers of the database.
///
/// There is one record per installation and table, and no more than `DeviceLimits.records` of them: those not seen for
/// longest go.
public protocol DeviceStore: Sendable {
    /// Adds sightings to what is kept, all or none. Where the answer of the database got lost, conflicts may count twice.
    func record(_ sightings: [DeviceSighting]) async throws(TableError)

    /// The installations that were seen last, newest first.
    func devices(limit: Int) async throws(TableError) -> [Device]

    /// How many rows of tables have changed since a stamp, including tombstones, each counted up to a limit.
    func countChanges(since places: [TableProgress], limit: Int) async throws(TableError) -> [Int]

    /// Forgets what was not seen since an instant.
    /// - Returns: how many records are gone.
    func forgetDevices(unseenSince instant: Instant) async throws(TableError) -> Int
}

/// What is kept of installations.
public enum DeviceLimits {
    /// The most records, one for each installation and table.
    public static let records = 10_000
    /// For how long a record is kept that is not renewed.
    public static let age = Duration.seconds(90 * 86_400)
}

/// How far somebody has come in a table.
public struct TableProgress: Sendable {
    /// The table.
    public let table: Table
    /// The greatest `updatedAt` that was reached.
    public let stamp: Instant

    /// Makes a place.
    public init(_ table: Table, _ stamp: Instant) {
        self.table = table
        self.stamp = stamp
    }
}
