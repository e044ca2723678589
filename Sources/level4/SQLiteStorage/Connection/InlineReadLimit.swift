import Platform

/// The limits of a list read on an event loop, where all other clients wait for it.
struct InlineReadLimit {
    /// Steps of SQLite's virtual machine: enough for two pages of fifty narrow rows, or a tenth of a millisecond.
    private static let steps = 4_000
    /// The time limit, for steps that take long, such as those that wait for the disk.
    static let time = Duration.milliseconds(1)
    /// The maximum number of bytes of text, which are written into the answer.
    static let bytes = 64 << 10

    private var stepsLeft = Self.steps
    private let end = Clocks.exact + UInt64(Self.time.attoseconds / 1_000_000_000)

    mutating func countSteps() {
        stepsLeft -= TimeLimit.stepsBetweenQuestions
    }

    var isOver: Bool { stepsLeft < 0 || Clocks.exact >= end }
}

/// Decides whether a statement is tried on an event loop.
struct InlineReadBackoff {
    /// The maximum number of runs between two tries of a statement that took too long, so that failed tries cost little
    /// in comparison.
    private static let longestPause = 64

    private var runsToNextTry = 0
    private var pause = 0

    /// Whether to try it this time.
    mutating func takeTry() -> Bool {
        guard runsToNextTry > 0 else { return true }
        runsToNextTry -= 1
        return false
    }

    /// Records that it took too long. A single time may be due to the system scheduling another thread first.
    mutating func tookLong() {
        pause = min(max(2 * pause, 1), Self.longestPause)
        runsToNextTry = pause
    }

    /// Records that it was quick.
    mutating func wasBrief() {
        pause = 0
    }
}
