/// How long work takes, as far as the last of it says.
struct WorkTimes {
    /// Of what is known one part in so many is the latest.
    private static let memory = 8

    /// nil before any is done.
    private(set) var mean: Duration?

    mutating func note(_ time: Duration) {
        mean = mean.map { $0 + (time - $0) / Self.memory } ?? time
    }
}
