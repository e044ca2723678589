public import Scalars
public import Tables

/// A `DeviceStore` by SQL statements.
extension SQLExecutor {
    /// Writes in one transaction, in the same order on all servers, so that there are no deadlocks.
    public func record(_ sightings: [DeviceSighting]) async throws(TableError) {
        let ordered = sightings.sorted {
            ($0.key.installation, $0.key.table.text) < ($1.key.installation, $1.key.table.text)
        }
        _ = try await execute(
            ordered.map { DeviceStatements.record($0, dialect: dialect) }
                + [DeviceStatements.trim(to: DeviceLimits.records, dialect: dialect)])
    }

    /// Reads within the time limit of lists.
    public func devices(limit: Int) async throws(TableError) -> [Device] {
        let found = try await lists(of: [DeviceStatements.list(devices: limit, dialect: dialect)])
        return Device.all(of: found.joined().compactMap(DeviceStatements.sighting))
    }

    /// Reads within the time limit of lists.
    public func countChanges(since places: [TableProgress], limit: Int) async throws(TableError) -> [Int] {
        guard !places.isEmpty else { return [] }
        let statements = places.map { DeviceStatements.countChanges(since: $0, limit: limit, dialect: dialect) }
        return try await lists(of: statements).map { Int($0.first?.integer(0) ?? 0) }
    }

    /// Removes rows in one statement.
    public func forgetDevices(unseenSince instant: Instant) async throws(TableError) -> Int {
        try await execute([DeviceStatements.forget(unseenSince: instant.milliseconds, dialect: dialect)]).count
    }
}
