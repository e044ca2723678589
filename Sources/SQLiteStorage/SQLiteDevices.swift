public import OData
import TableSQL
public import Tables

extension SQLiteTableStore: DeviceStore {
    /// Written on the writer's thread.
    public func record(_ sightings: [DeviceSighting]) async throws(TableError) {
        try await writer.write { session throws(TableError) in
            for sighting in sightings {
                try session.connection.run(DeviceStatements.record(sighting, dialect: session.dialect))
            }
            try session.connection.run(DeviceStatements.trim(to: DeviceLimits.records, dialect: session.dialect))
        }
    }

    /// On a thread of the pool.
    public func devices(limit: Int) async throws(TableError) -> [Device] {
        let statement = DeviceStatements.list(devices: limit, dialect: SQLiteDialect())
        return try await readInPool(limit: queryTimeLimit) { connection throws(TableError) in
            var sightings: [DeviceSighting] = []
            try connection.query(statement.text, statement.bindings) { row in
                let found = DeviceRow(
                    integer: { row.kind(at: Int32($0)) == .null ? nil : row.integer(at: Int32($0)) },
                    text: { row.kind(at: Int32($0)) == .null ? nil : row.string(at: Int32($0)) })
                if let sighting = found.sighting { sightings.append(sighting) }
            }
            return Device.all(of: sightings)
        }
    }

    /// On a thread of the pool, one table after the other.
    public func countChanges(since places: [TablePlace], limit: Int) async throws(TableError) -> [Int] {
        let statements = places.map { DeviceStatements.countChanges(since: $0, limit: limit, dialect: SQLiteDialect()) }
        return try await readInPool(limit: queryTimeLimit) { connection throws(TableError) in
            var counts: [Int] = []
            for statement in statements {
                try connection.query(statement.text, statement.bindings) { counts.append(Int($0.integer(at: 0))) }
            }
            return counts
        }
    }

    /// Written on the writer's thread.
    public func forgetDevices(unseenSince instant: Instant) async throws(TableError) -> Int {
        try await writer.write { session throws(TableError) in
            let statement = DeviceStatements.forget(unseenSince: instant.milliseconds, dialect: session.dialect)
            var count = 0
            try session.connection.query(statement.text, statement.bindings) { _ in count += 1 }
            return count
        }
    }
}
