import Tables

/// Sightings that wait to be written, merged by installation and table: each of those is written only once in a while.
struct PendingSightings {
    private struct Entry {
        var waiting: DeviceSighting?
        var writtenAt: ContinuousClock.Instant?
    }

    private var entries: [DeviceSighting.Key: Entry] = [:]

    /// The maximum number of entries held at a time. More are dropped: the next request will reveal as much.
    static let limit = 2_000
    /// The minimum time between two writes of the same entry.
    static let interval = Duration.seconds(60)

    /// The number of entries.
    var count: Int { entries.count }

    /// Adds a sighting.
    mutating func add(_ sighting: DeviceSighting) {
        if entries[sighting.key] == nil, entries.count >= Self.limit { return }
        if entries[sighting.key, default: Entry()].waiting?.add(sighting) == nil {
            entries[sighting.key]?.waiting = sighting
        }
    }

    /// Removes and returns what has to be written now, in any order.
    /// - Parameter isLast: whether everything has to be written.
    mutating func take(at now: ContinuousClock.Instant, isLast: Bool = false) -> [DeviceSighting] {
        var taken: [DeviceSighting] = []
        var idle: [DeviceSighting.Key] = []
        // In place, as requests wait for the lock.
        for index in entries.indices {
            let entry = entries.values[index]
            let isDue = entry.writtenAt.map { $0.duration(to: now) >= Self.interval } ?? true
            guard isDue || isLast else { continue }
            if let waiting = entry.waiting {
                taken.append(waiting)
                entries.values[index] = Entry(waiting: nil, writtenAt: now)
            } else {
                idle.append(entries.keys[index])
            }
        }
        for key in idle { entries[key] = nil }
        return taken
    }
}
