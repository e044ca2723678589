/// The calls of a worker whose scripts have answered, in the order in which they did.
struct AnsweredCalls<Call: Sendable>: Sendable {
    private var calls: [Int: Call] = [:]
    private var order: [(number: Int, at: ContinuousClock.Instant)] = []

    var isEmpty: Bool { calls.isEmpty }

    subscript(number: Int) -> Call? { calls[number] }

    mutating func add(_ number: Int, _ call: Call, at now: ContinuousClock.Instant) {
        assert(calls[number] == nil, "a call is answered once")
        calls[number] = call
        order.append((number, now))
    }

    /// Forgets those that have answered so long ago.
    /// - Returns: what is forgotten.
    mutating func forget(after time: Duration, now: ContinuousClock.Instant) -> [Call] {
        let old = order.prefix { now - $0.at > time }
        defer { order.removeFirst(old.count) }
        return old.compactMap { calls.removeValue(forKey: $0.number) }
    }
}
