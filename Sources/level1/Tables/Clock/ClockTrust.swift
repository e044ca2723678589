public import Scalars

/// Whether a clock can be trusted for an irreversible operation: removing what is old enough.
///
/// A clock is trusted once it has run evenly beside one that never jumps and fits the latest time known to have passed.
/// If it is far ahead of that, it is on trial for a day: it may be right, after a long downtime.
public struct ClockTrust: Sendable {
    /// The findings of a look at the clock.
    public enum Note: Sendable, Equatable {
        /// The clock moved forwards, or backwards, by that many milliseconds more than passed.
        case jumped(milliseconds: Int64)
        /// The clock is further ahead of the latest known time than allowed, and is on trial.
        case onTrial(milliseconds: Int64)
        /// The clock is trusted from now on.
        case believed
    }

    /// How long the clock has to run evenly beside the other one.
    public static let proof = Duration.seconds(5)
    /// The same for a clock that is far ahead of the latest known time.
    public static let trial = Duration.seconds(86_400)
    /// How far ahead of that time it may be.
    public static let leap = Duration.seconds(86_400)
    /// How much the clocks may differ from one look to the next, in milliseconds.
    static let tolerance: Int64 = 5_000

    private struct Reading {
        var wall: Int64
        var run: Int64

        /// Returns the wall time when the other clock shows `run`.
        func later(at run: Int64) -> Int64 {
            let (sum, isBeyond) = wall.addingReportingOverflow(run - self.run)
            return isBeyond ? .max : sum
        }
    }

    private var last: Reading?
    /// Since when the clock has run evenly beside the other one.
    private var start: Reading?
    /// The latest time known to have passed, and when it was recorded.
    private var anchor: Reading?
    private var isAsked = false
    private var isOnTrial = false
    private var doubtedSince: Int64?

    /// Whether the clock is trusted.
    public private(set) var isBelieved = false

    /// Creates the state for a clock of which nothing is known yet.
    public init() {}

    /// Records a time that has passed; nil if none is known because nothing has happened yet. Until this is called, no
    /// clock is trusted.
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

    /// Returns for how long the clock hasn't been trusted.
    public func doubt(at run: Duration) -> Duration {
        doubtedSince.map { .milliseconds(max(0, run.wholeMilliseconds - $0)) } ?? .zero
    }

    /// Returns how much the clock moved relative to the one that never jumps; nil if within tolerance.
    private func jump(to reading: Reading) -> Int64? {
        guard let last, let start else { return nil }
        let step = Self.difference(reading.wall, last.later(at: reading.run))
        if step.magnitude > Self.tolerance { return step }
        // Many small steps are a jump too; clocks that are slewed differ by less.
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
