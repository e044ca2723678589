import WireTesting

/// Attempts until there is one too many. Some are forgiven meanwhile, the more the busier the machine.
enum SpentAttempts {
    /// Makes attempts until one is refused for that, or one too many is let through.
    /// - Parameters:
    ///   - burst: how many there may be at once.
    ///   - interval: the time in which one is forgiven.
    ///   - attempt: makes one, and tells its status; its parameter is how many were made before.
    /// - Returns: the statuses, the last of which is 429 where they are bounded.
    static func statuses(
        of burst: Int, oneForgivenEach interval: Duration, _ attempt: (_ number: Int) throws -> Int
    ) rethrows -> [Int] {
        let begun = ContinuousClock.now
        var statuses: [Int] = []
        // Where each takes longer than that, there is no end.
        while statuses.last != 429, statuses.count < burst * 20,
            Double(statuses.count) <= Double(burst) + begun.duration(to: .now) / interval
        {
            statuses.append(try attempt(statuses.count))
        }
        return statuses
    }

    /// Waits while the next attempt would be forgiven within so many seconds, by what refusals say.
    static func untilNoneIsNear(within seconds: Int, _ attempt: () throws -> WireResponse) async throws {
        for _ in 0..<10 {
            let left = Int(try attempt()["Retry-After"] ?? "") ?? 0
            if left >= seconds { return }
            try await Task.sleep(for: .seconds(left))
        }
    }
}
