/// How many lines a second of what a process prints are kept.
struct LineRateLimit {
    private static let most = 200
    private var since = ContinuousClock.now
    private var count = 0

    mutating func allowsOneMore() -> Bool {
        let now = ContinuousClock.now
        if now - since > .seconds(1) { (since, count) = (now, 0) }
        count += 1
        return count <= Self.most
    }
}
