/// Decides when refused requests should be retried: one after another, as fast as a queue gets shorter, so that they
/// don't all come at once and are refused again.
///
/// A pure decision, with the time as an argument. A promise isn't binding: a request that comes earlier may get a turn,
/// and one that keeps asking isn't promised a later turn than others.
public struct RetryStagger: Sendable {
    /// The maximum delay. Anything later starts a new round.
    public static let longest = Duration.seconds(120)

    /// The last turn that was promised.
    private var promised: ContinuousClock.Instant?

    /// Creates a state without promises.
    public init() {}

    /// Promises the next turn.
    /// - Parameters:
    ///   - ahead: the time until there is a turn for a new request.
    ///   - step: the time that a turn takes.
    /// - Returns: the number of seconds after which to retry, at least one: fields have no fractions.
    public mutating func seconds(ahead: Duration, step: Duration, at now: ContinuousClock.Instant)
        -> Int
    {
        let earliest = now + min(max(ahead, .zero), Self.longest)
        var next = earliest
        if let promised, promised + step > earliest { next = promised + step }
        if next > now + Self.longest { next = earliest }
        promised = next
        return max(1, Int(((next - now) / .seconds(1)).rounded(.up)))
    }

    /// Returns whether a promised turn is still to come.
    public func isAhead(of now: ContinuousClock.Instant) -> Bool {
        promised.map { $0 > now } ?? false
    }
}
