/// When refused requests should come back: one after another, as fast as a queue gets shorter, so that they don't all
/// come at the same time and are refused again.
///
/// A pure decision, with the time as an argument. A promise isn't binding: whoever comes earlier may find a turn, and
/// whoever keeps asking is promised no later turn than others.
public struct RetryStagger: Sendable {
    /// The longest delay that is given. Anything later starts a new round.
    public static let longest = Duration.seconds(120)

    /// The last turn that somebody was promised.
    private var promised: ContinuousClock.Instant?

    /// Nobody is promised anything yet.
    public init() {}

    /// Promises the next turn to somebody.
    /// - Parameters:
    ///   - ahead: after what time there is a turn for somebody who comes new.
    ///   - step: how long a turn takes.
    /// - Returns: after how many seconds to ask, at least one: fields have no fractions.
    public mutating func seconds(ahead: Duration, step: Duration, at now: ContinuousClock.Instant)
        -> Int
    {
        let earliest = now + min(max(ahead, .zero), Self.longest)
        var turn = earliest
        if let promised, promised + step > earliest { turn = promised + step }
        if turn > now + Self.longest { turn = earliest }
        promised = turn
        return max(1, Int(((turn - now) / .seconds(1)).rounded(.up)))
    }

    /// Whether somebody has been promised a turn that is still to come.
    public func isAhead(of now: ContinuousClock.Instant) -> Bool {
        promised.map { $0 > now } ?? false
    }
}
