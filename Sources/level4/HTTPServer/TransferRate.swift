/// How fast a client sends its body or takes its answer, and whether that is fast enough: it must never stall, and
/// reach a minimum in every window. The total time doesn't matter.
struct TransferRate {
    /// The longest time without any progress, in nanoseconds.
    private let stallTime: UInt64
    private let window: UInt64
    private let bytesPerWindow: Int
    private var progressed: UInt64
    private var windowBegan: UInt64
    private var passed = 0
    private var passedBeforeWindow = 0
    /// The rate in the window that has just ended, in bytes per second.
    private var rate: Int?

    private init(stallTime: UInt64, window: UInt64, bytesPerWindow: Int, now: UInt64) {
        self.stallTime = stallTime
        self.window = window
        self.bytesPerWindow = bytesPerWindow
        progressed = now
        windowBegan = now
    }

    /// The rate at which an answer is taken.
    static func answer(_ limits: LimitsSnapshot, now: UInt64) -> TransferRate {
        TransferRate(
            stallTime: limits.sendStallTime, window: limits.window,
            bytesPerWindow: limits.values.sendBytesPerWindow, now: now)
    }

    /// The rate at which a body arrives, where only whole windows count, not shorter pauses.
    static func body(_ limits: LimitsSnapshot, now: UInt64) -> TransferRate {
        TransferRate(
            stallTime: .max / 4, window: limits.window, bytesPerWindow: limits.values.bodyBytesPerWindow, now: now)
    }

    /// When the rate has to be checked next, even without progress.
    var deadline: UInt64 { min(progressed + stallTime, windowBegan + window) }

    /// Excludes a time in which the client had nothing to take.
    mutating func goOn(since pause: UInt64, now: UInt64) {
        progressed += now - pause
        windowBegan += now - pause
    }

    /// Returns the bytes per second in the window that has ended since the last call; nil if none has.
    mutating func takeRate() -> Int? {
        defer { rate = nil }
        return rate
    }

    /// Records how many bytes have passed in total.
    /// - Returns: false if that is too slow.
    mutating func note(passed total: Int, now: UInt64) -> Bool {
        if total > passed {
            passed = total
            progressed = now
        }
        let isAtEnd = now >= windowBegan + window
        if !isAtEnd { return now < progressed + stallTime }
        let inWindow = passed - passedBeforeWindow
        guard inWindow >= bytesPerWindow, now < progressed + stallTime else { return false }
        rate = Int(UInt64(inWindow) * 1_000_000_000 / max(1, now - windowBegan))
        passedBeforeWindow = passed
        windowBegan = now
        return true
    }
}
