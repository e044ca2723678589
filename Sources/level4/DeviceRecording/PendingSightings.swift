import Tables

/// Sightings that wait to be written, combined by installation and table: each of those is written only once in a
/// while.
struct PendingSightings {
    private struct Entry {
        var waiting: DeviceSighting?
        var writtenAt: ContinuousClock.Instant?
    }

    private var entries: [DeviceSighting.Key: Entry] = [:]

    /// The maximum number of installations and tables held at a time. More are dropped: the next request will reveal as
    /// much.
    static let limit = 2_000
    /// How often one of them is written at most.
    static let interval = Duration.seconds(60)

    /// How many are known.
    var count: Int { entries.count }

    /// Adds what was seen.
    mutating func add(_ sighting: DeviceSighting) {
        if entries[sighting.key] == nil, entries.count >= Self.limit { return }
        if entries[sighting.key, default: Entry()].waiting?.add(sighting) == nil {
            entries[sighting.key]?.waiting = sighting
        }
    }

    /// Takes what has to be written now, in any order.
    /// - Parameter isLast: whether that is everything.
    mutating func take(at now: ContinuousClock.Instant, isLast: Bool = false) -> [DeviceSighting] {
        var taken: [DeviceSighting] = []
        var idle: [DeviceSighting.Key] = []
        // In place: requests wait meanwhile.
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
