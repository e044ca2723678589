public import OData
import TableSQL
public import Tables

extension PostgresTableStore: DeviceStore {
    /// On a thread of the pool. Records are written in one order by all servers, so that none waits for another in a circle.
    public func record(_ sightings: [DeviceSighting]) async throws(TableError) {
        try watch.check()
        let ordered = sightings.sorted {
            ($0.key.installation, $0.key.table.text) < ($1.key.installation, $1.key.table.text)
        }
        let statements =
            ordered.map { DeviceStatements.record($0, dialect: PostgresDialect()) }
            + [DeviceStatements.trim(to: DeviceLimits.records, dialect: PostgresDialect())]
        try await pool.run { connection throws(PostgresFailure) in
            let begin = SQLText(text: "BEGIN ISOLATION LEVEL READ COMMITTED", bindings: [])
            let end = SQLText(text: "COMMIT", bindings: [])
            do throws(PostgresFailure) {
                _ = try connection.run(
                    [begin] + connection.localSettings + connection.durableSettings + statements + [end])
            } catch {
                connection.rollback()
                throw error
            }
        }
    }

    /// On a thread of the pool.
    public func devices(limit: Int) async throws(TableError) -> [Device] {
        try watch.check()
        return try await pool.runList(by: "") { connection throws(PostgresFailure) in
            let rows = try connection.run(DeviceStatements.list(devices: limit, dialect: PostgresDialect()))
            return Device.all(
                of: (0..<rows.rowCount).compactMap { row in
                    DeviceRow(
                        integer: { rows.isNull(row, $0) ? nil : rows.integer(row, $0) },
                        text: { rows.isNull(row, $0) ? nil : rows.originalText(row, $0) }
                    ).sighting
                })
        }
    }

    /// On a thread of the pool, in one round trip.
    public func countChanges(since places: [TablePlace], limit: Int) async throws(TableError) -> [Int] {
        try watch.check()
        guard !places.isEmpty else { return [] }
        let statements = places.map {
            DeviceStatements.countChanges(since: $0, limit: limit, dialect: PostgresDialect())
        }
        return try await pool.runList(by: "") { connection throws(PostgresFailure) in
            try connection.read(statements).map { Int($0.integer(0, 0)) }
        }
    }

    /// On a thread of the pool.
    public func forgetDevices(unseenSince instant: Instant) async throws(TableError) -> Int {
        try watch.check()
        let statement = DeviceStatements.forget(unseenSince: instant.milliseconds, dialect: PostgresDialect())
        return try await pool.run { connection throws(PostgresFailure) in
            try connection.run(connection.durableSettings + [statement]).last?.rowCount ?? 0
        }
    }
}

extension PostgresResult {
    /// A `text` cell as it was before it was stored.
    fileprivate func originalText(_ row: Int, _ column: Int) -> String {
        withBytes(row, column) { StoredText.original($0) }.map { String(decoding: $0, as: UTF8.self) }
            ?? string(row, column)
    }
}
