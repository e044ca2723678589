/// The limits of a round trip that should be short, and whose results are received whole.
struct SmallReadLimit {
    /// The time limit: many times the expected time, as a busy machine may run others first.
    private static let time = Duration.milliseconds(100)
    /// The maximum number of bytes received per statement.
    private static let bytes = 256 << 10

    /// When it has to be stopped; nil once it has been.
    private(set) var end: ContinuousClock.Instant?
    private var bytesLeft: Int

    init(statements: Int, from start: ContinuousClock.Instant) {
        end = start + Self.time
        bytesLeft = statements * Self.bytes
    }

    /// Whether it has to be stopped now; true only once.
    mutating func takeEnd() -> Bool {
        guard let end, end <= .now else { return false }
        self.end = nil
        return true
    }

    /// Counts bytes that are about to be received.
    /// - Throws: if that exceeds the limit. The connection can't be used any more, as it would buffer the rest too.
    mutating func take(_ count: Int?) throws(PostgresFailure) {
        bytesLeft -= count ?? 0
        if bytesLeft < 0 { throw .lost(detail: "the answer was larger than the last one") }
    }
}
