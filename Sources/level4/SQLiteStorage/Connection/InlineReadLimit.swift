import Platform

/// The limits of a list on an event loop, where every other client waits for it.
struct InlineReadLimit {
    /// Steps of SQLite's virtual machine: two pages of fifty narrow rows, a tenth of a millisecond.
    private static let steps = 4_000
    /// The time, for long steps such as those that wait for the disk.
    static let time = Duration.milliseconds(1)
    /// How many bytes of text, which are written into the answer.
    static let bytes = 64 << 10

    private var stepsLeft = Self.steps
    private let end = Clocks.exact + UInt64(Self.time.attoseconds / 1_000_000_000)

    mutating func countSteps() {
        stepsLeft -= TimeLimit.stepsBetweenQuestions
    }

    var isOver: Bool { stepsLeft < 0 || Clocks.exact >= end }
}

/// Whether a statement is tried on an event loop.
struct InlineReadBackoff {
    /// The most runs between two tries of a statement that took too long, so that a wasted try costs little in
    /// comparison.
    private static let longestPause = 64

    private var runsToNextTry = 0
    private var pause = 0

    /// Whether to try it this time.
    mutating func takeTry() -> Bool {
        guard runsToNextTry > 0 else { return true }
        runsToNextTry -= 1
        return false
    }

    /// Records that it took too long. Once may be due to the system, which let another thread go first.
    mutating func tookLong() {
        pause = min(max(2 * pause, 1), Self.longestPause)
        runsToNextTry = pause
    }

    /// Records that it was quick.
    mutating func wasBrief() {
        pause = 0
    }
}
