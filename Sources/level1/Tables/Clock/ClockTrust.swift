public import Scalars

/// Whether a clock can be trusted for what can't be undone: removing what is old enough.
///
/// A clock is trusted once it was seen to run evenly next to one that never jumps, and fits the latest time known to
/// have passed. One that is far ahead of that is on trial for a day: it may be right, after a long rest.
public struct ClockTrust: Sendable {
    /// What a look at the clock may find.
    public enum Note: Sendable, Equatable {
        /// It moved on, or back, by that many milliseconds more than passed.
        case jumped(milliseconds: Int64)
        /// It is further ahead of all that is known than it may be, and is on trial.
        case onTrial(milliseconds: Int64)
        /// It is trusted, from now on.
        case believed
    }

    /// How long it has to run evenly next to the other one.
    public static let proof = Duration.seconds(5)
    /// The same if it is far ahead of the latest known time.
    public static let trial = Duration.seconds(86_400)
    /// How far ahead of that it may be.
    public static let leap = Duration.seconds(86_400)
    /// What clocks may differ by from one look to the next.
    static let tolerance: Int64 = 5_000

    private struct Reading {
        var wall: Int64
        var run: Int64

        /// The time when the other clock has run so long.
        func later(at run: Int64) -> Int64 {
            let (sum, isBeyond) = wall.addingReportingOverflow(run - self.run)
            return isBeyond ? .max : sum
        }
    }

    private var last: Reading?
    /// Since when it has run evenly next to the other one.
    private var start: Reading?
    /// The latest time that is known to have been, and when it was.
    private var anchor: Reading?
    private var isAsked = false
    private var isOnTrial = false
    private var doubtedSince: Int64?

    /// Whether it may be believed.
    public private(set) var isBelieved = false

    /// A clock of which nothing is known yet.
    public init() {}

    /// Records a time that has passed; nil if none is known because nothing has happened yet. Before that no clock is
    /// trusted.
    /// - Parameter run: how long a clock that never jumps has run.
    public mutating func know(_ instant: Instant?, at run: Duration) {
        isAsked = true
        guard let instant else { return }
        let run = run.wholeMilliseconds
        if let anchor, anchor.later(at: run) >= instant.milliseconds { return }
        anchor = Reading(wall: instant.milliseconds, run: run)
    }

    /// Looks at the clock.
    /// - Parameter run: how long a clock that never jumps has run.
    public mutating func look(_ wall: Instant, at run: Duration) -> Note? {
        let reading = Reading(wall: wall.milliseconds, run: run.wholeMilliseconds)
        defer { last = reading }
        if doubtedSince == nil, !isBelieved { doubtedSince = reading.run }
        if let jump = jump(to: reading) {
            start = reading
            (isBelieved, isOnTrial) = (false, false)
            doubtedSince = reading.run
            return .jumped(milliseconds: jump)
        }
        if start == nil { start = reading }
        guard isAsked, let start else { return nil }
        let lead = anchor.map { Self.difference(reading.wall, $0.later(at: reading.run)) } ?? 0
        let isFar = lead > Self.leap.wholeMilliseconds
        let needed = isFar ? Self.trial : Self.proof
        guard isBelieved || reading.run - start.run >= needed.wholeMilliseconds else {
            guard isFar, !isOnTrial else { return nil }
            isOnTrial = true
            return .onTrial(milliseconds: lead)
        }
        if lead >= 0 { anchor = reading }
        (isOnTrial, doubtedSince) = (false, nil)
        defer { isBelieved = true }
        return isBelieved ? nil : .believed
    }

    /// For how long it hasn't been believed.
    public func doubt(at run: Duration) -> Duration {
        doubtedSince.map { .milliseconds(max(0, run.wholeMilliseconds - $0)) } ?? .zero
    }

    /// By how much the clock moved differently from the one that never jumps; nil if it didn't.
    private func jump(to reading: Reading) -> Int64? {
        guard let last, let start else { return nil }
        let step = Self.difference(reading.wall, last.later(at: reading.run))
        if step.magnitude > Self.tolerance { return step }
        // Many small steps are a jump too; clocks that are steered differ by less.
        let whole = Self.difference(reading.wall, start.later(at: reading.run))
        let allowed = Self.tolerance + (reading.run - start.run) / 1_000
        return whole.magnitude > allowed ? whole : nil
    }

    private static func difference(_ one: Int64, _ other: Int64) -> Int64 {
        let (difference, isBeyond) = one.subtractingReportingOverflow(other)
        return isBeyond ? (one < other ? -.max : .max) : difference
    }
}

extension Duration {
    fileprivate var wholeMilliseconds: Int64 {
        components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
    }
}
