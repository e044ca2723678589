/// What a worker's silence says of it: when it was asked for a sign of life, when it gave one, and how long the thread
/// that runs scripts has worked since.
struct LifeSigns: Sendable {
    /// When it was asked for a sign of life that it has not given yet.
    private var askedAt: ContinuousClock.Instant?
    /// Whether it is saying something right now, behind which its sign of life may stand.
    var isHeard = false
    /// When it last gave a sign of life.
    private var heardAt: ContinuousClock.Instant
    /// What the thread's time was when it was looked at after the last sign of life, and what it was lately.
    private var timeAtSign: (time: Duration, at: ContinuousClock.Instant)?
    private var timeNow: Duration?

    /// How long a worker that should answer at once may be silent.
    static let patience = Duration.milliseconds(100)
    /// From when on silence is no chance of the machine.
    static let longSilence = Duration.seconds(1)
    /// How long one with nothing to do is left alone.
    private static let idlePause = Duration.seconds(5)

    init(at now: ContinuousClock.Instant) { heardAt = now }

    /// Whether it was asked for a sign that it has not given yet.
    var isAsked: Bool { askedAt != nil }

    /// Takes note that it is asked for a sign of life, if it is time for that.
    /// - Parameter isBusy: whether it should answer at once.
    mutating func ask(isBusy: Bool, at now: ContinuousClock.Instant) -> Bool {
        guard !isAsked, isBusy || now - heardAt > Self.idlePause else { return false }
        askedAt = now
        return true
    }

    /// Takes note that it has said something: who has much to say is alive.
    /// - Parameter isSign: whether that is the sign that it was asked for.
    mutating func hear(isSign: Bool, at now: ContinuousClock.Instant) {
        heardAt = now
        askedAt = isSign || !isAsked ? nil : now
    }

    /// Takes note of how long the thread that runs scripts has worked; nil where the system doesn't tell.
    mutating func note(_ time: Duration?, at now: ContinuousClock.Instant) {
        timeNow = time
        guard let time else { return timeAtSign = nil }
        if timeAtSign.map({ $0.at < heardAt }) ?? true { timeAtSign = (time, now) }
    }

    /// Whether it has not answered for a while, whatever else it says.
    func isSilent(at now: ContinuousClock.Instant) -> Bool { askedAt.map { now - $0 > Self.patience } ?? false }

    /// For how long it has said nothing since it was asked.
    func silence(at now: ContinuousClock.Instant) -> Duration { isHeard ? .zero : askedAt.map { now - $0 } ?? .zero }

    /// Whether it has worked without a sign of life for so long, and for a part of that with a processor. One that the
    /// machine leaves no time has not; where the system tells nothing of that, its silence counts.
    func hasWorked(for time: Duration, at now: ContinuousClock.Instant) -> Bool {
        guard silence(at: now) > time else { return false }
        guard let timeAtSign, let timeNow else { return true }
        return timeNow - timeAtSign.time > time / 5
    }
}
