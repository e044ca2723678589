/// The duration of work, judging by the most recent.
struct WorkTimes {
    /// The weight of the latest measurement: one part in this many.
    private static let memory = 8

    /// The mean; nil before any work is done.
    private(set) var mean: Duration?

    mutating func note(_ time: Duration) {
        mean = mean.map { $0 + (time - $0) / Self.memory } ?? time
    }
}
