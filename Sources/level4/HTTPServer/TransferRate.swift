/// How fast a client sends its body or takes its answer, and whether that is fast enough: always something, and a
/// minimum in every window. How long it takes in total doesn't matter.
struct TransferRate {
    /// How long nothing at all may come or go.
    private let stallTime: UInt64
    private let window: UInt64
    private let bytesPerWindow: Int
    private var progressed: UInt64
    private var windowBegan: UInt64
    private var passed = 0
    private var passedBeforeWindow = 0
    /// What passed in a second of the window that has just ended.
    private var rate: Int?

    private init(stallTime: UInt64, window: UInt64, bytesPerWindow: Int, now: UInt64) {
        self.stallTime = stallTime
        self.window = window
        self.bytesPerWindow = bytesPerWindow
        progressed = now
        windowBegan = now
    }

    /// That of an answer.
    static func answer(_ limits: LimitsSnapshot, now: UInt64) -> TransferRate {
        TransferRate(
            stallTime: limits.sendStallTime, window: limits.window,
            bytesPerWindow: limits.values.sendBytesPerWindow, now: now)
    }

    /// The rate of a body, whose silence is only measured by its windows.
    static func body(_ limits: LimitsSnapshot, now: UInt64) -> TransferRate {
        TransferRate(
            stallTime: .max / 4, window: limits.window, bytesPerWindow: limits.values.bodyBytesPerWindow, now: now)
    }

    /// When the pace has to be looked at next, however little happens.
    var deadline: UInt64 { min(progressed + stallTime, windowBegan + window) }

    /// Goes on after a time in which the client had nothing to take, which doesn't count.
    mutating func goOn(since pause: UInt64, now: UInt64) {
        progressed += now - pause
        windowBegan += now - pause
    }

    /// Bytes per second in the window that has ended since this was last asked; nil if none has.
    mutating func takeRate() -> Int? {
        defer { rate = nil }
        return rate
    }

    /// Records how many bytes have passed in total.
    /// - Returns: false if it is too slow.
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
