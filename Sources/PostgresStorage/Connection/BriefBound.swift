/// What a round trip may take of which it is thought that it is over soon, and whose results come whole.
struct BriefBound {
    /// How long it may take: many times what it should, since a busy machine lets others go first.
    private static let time = Duration.milliseconds(100)
    /// How much may come for each statement.
    private static let bytes = 256 << 10

    /// When it is stopped; nil once it has been.
    private(set) var end: ContinuousClock.Instant?
    private var bytesLeft: Int

    init(statements: Int, from start: ContinuousClock.Instant) {
        end = start + Self.time
        bytesLeft = statements * Self.bytes
    }

    /// Whether it has to be stopped now.
    mutating func takeEnd() -> Bool {
        guard let end, end <= .now else { return false }
        self.end = nil
        return true
    }

    /// Takes note of bytes that are about to be received.
    /// - Throws: where it is more than may come. The connection is of no more use then: the rest would be kept too.
    mutating func take(_ count: Int?) throws(PostgresFailure) {
        bytesLeft -= count ?? 0
        if bytesLeft < 0 { throw .lost(detail: "the answer was larger than the last one") }
    }
}
