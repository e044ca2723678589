/// Judges a worker's silence: when it was asked for a sign of life, when it gave one, and how much the thread that runs
/// scripts has worked since.
struct LifeSigns: Sendable {
    /// When it was asked for the sign of life that is still outstanding.
    private var askedAt: ContinuousClock.Instant?
    /// Whether a message is arriving right now, which its sign of life may follow.
    var isHeard = false
    /// When it last gave a sign of life.
    private var heardAt: ContinuousClock.Instant
    /// The thread's processor time at the first check after the last sign of life, and at the last check.
    private var timeAtSign: (time: Duration, at: ContinuousClock.Instant)?
    private var timeNow: Duration?

    /// How long a worker that should respond immediately may be silent.
    static let patience = Duration.milliseconds(100)
    /// How long a silence can be the fault of a busy machine.
    static let longSilence = Duration.seconds(1)
    /// How long an idle worker is not asked.
    private static let idlePause = Duration.seconds(5)

    init(at now: ContinuousClock.Instant) { heardAt = now }

    /// Whether a sign of life is outstanding.
    var isAsked: Bool { askedAt != nil }

    /// Records that it is asked for a sign of life, if it is time to.
    /// - Parameter isBusy: whether it should respond immediately.
    mutating func ask(isBusy: Bool, at now: ContinuousClock.Instant) -> Bool {
        guard !isAsked, isBusy || now - heardAt > Self.idlePause else { return false }
        askedAt = now
        return true
    }

    /// Records that it has sent something: a worker that sends much is alive.
    /// - Parameter isSign: whether that is the sign of life that it was asked for.
    mutating func hear(isSign: Bool, at now: ContinuousClock.Instant) {
        heardAt = now
        askedAt = isSign || !isAsked ? nil : now
    }

    /// Records the processor time of the thread that runs scripts; nil if the system doesn't tell.
    mutating func note(_ time: Duration?, at now: ContinuousClock.Instant) {
        timeNow = time
        guard let time else { return timeAtSign = nil }
        if timeAtSign.map({ $0.at < heardAt }) ?? true { timeAtSign = (time, now) }
    }

    /// Returns whether it has not responded for a while, whatever else it sends.
    func isSilent(at now: ContinuousClock.Instant) -> Bool { askedAt.map { now - $0 > Self.patience } ?? false }

    /// Returns how long it has sent nothing since it was asked.
    func silence(at now: ContinuousClock.Instant) -> Duration { isHeard ? .zero : askedAt.map { now - $0 } ?? .zero }

    /// Whether it has worked without a sign of life for so long, and for a part of that with a processor. One that the
    /// machine leaves no time has not; where the system tells nothing of that, its silence counts.
    func hasWorked(for time: Duration, at now: ContinuousClock.Instant) -> Bool {
        guard silence(at: now) > time else { return false }
        guard let timeAtSign, let timeNow else { return true }
        return timeNow - timeAtSign.time > time / 5
    }
}
