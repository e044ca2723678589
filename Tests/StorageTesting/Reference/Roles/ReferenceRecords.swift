import Scalars
import Tables

/// What a store keeps besides tables.
extension ReferenceStore: TimeStore, JobStore, DeviceStore, StatisticsStore {
    func timeReading() async throws(TableError) -> TimeReading {
        try alone { state in
            let latest = state.tables.values.map(\.lastStamp).max().flatMap { $0.milliseconds > 0 ? $0 : nil }
            return TimeReading(believed: state.believed, latestStamp: latest)
        }
    }

    func remember(believed: Instant) async throws(TableError) {
        try alone { $0.believed = max($0.believed ?? believed, believed) }
    }

    /// It doesn't keep who wrote.
    func forgetWriters(before: Instant) async throws(TableError) {}

    func lease(job: String, slot: Int64, now: Instant, until end: Instant) async throws(TableError) -> Bool {
        try alone { state in
            // What is a day ahead was left by a clock that was wrong.
            if let held = state.jobs[job] {
                let farAhead = now.milliseconds + 86_400_000
                guard held.slot < slot || held.slot > slot + 1_440 else { return false }
                guard held.end <= now || held.end.milliseconds > farAhead else { return false }
            }
            state.jobs[job] = (slot, end)
            return true
        }
    }

    func extendLease(of job: String, slot: Int64, until end: Instant) async throws(TableError) {
        try alone { state in
            if state.jobs[job]?.slot == slot { state.jobs[job]?.end = end }
        }
    }

    func record(_ sightings: [DeviceSighting]) async throws(TableError) {
        try alone { state in
            for sighting in sightings where state.devices[sighting.key]?.add(sighting) == nil {
                state.devices[sighting.key] = sighting
            }
            let oldest = state.devices.values.sorted { $0.seenAt < $1.seenAt }
            for sighting in oldest.dropLast(DeviceLimits.records) { state.devices[sighting.key] = nil }
        }
    }

    func devices(limit: Int) async throws(TableError) -> [Device] {
        try alone { Array(Device.all(of: Array($0.devices.values)).prefix(limit)) }
    }

    func forgetDevices(unseenSince instant: Instant) async throws(TableError) -> Int {
        try alone { state in
            let before = state.devices.count
            state.devices = state.devices.filter { $0.value.seenAt >= instant }
            return before - state.devices.count
        }
    }

    func countChanges(since places: [TableProgress], limit: Int) async throws(TableError) -> [Int] {
        try alone { state in
            places.map { place in
                let rows = state.tables[place.table.name]?.rows.values.filter { $0.updatedAt > place.stamp }
                return min(limit, rows?.count ?? 0)
            }
        }
    }

    /// The bytes of the rows' texts.
    func sizes() async throws(TableError) -> [Identifier: Int64] {
        try alone { state in
            state.tables.mapValues { table in
                let texts = table.rows.values.flatMap(\.values.values).compactMap(\.textValue)
                return texts.reduce(0) { $0 + Int64($1.utf8.count) }
            }
        }
    }

    func lastChanges() async throws(TableError) -> [Identifier: Instant] {
        try alone { $0.tables.compactMapValues { $0.rows.values.map(\.updatedAt).max() } }
    }
}
