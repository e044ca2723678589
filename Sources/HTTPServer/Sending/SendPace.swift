/// How fast a client takes its answer, and whether that is fast enough: always something, a little in every window, and
/// all of it in the end.
struct SendPace {
    private let limits: ServerLimits
    private var began: UInt64
    private var progressed: UInt64
    private var windowBegan: UInt64
    private var taken = 0
    private var takenBeforeWindow = 0

    init(_ limits: ServerLimits, now: UInt64) {
        self.limits = limits
        began = now
        progressed = now
        windowBegan = now
    }

    /// When the pace has to be looked at next, however little happens.
    var deadline: UInt64 {
        min(
            progressed + limits.sendStallTime.nanoseconds, windowBegan + limits.sendWindow.nanoseconds,
            began + limits.sendTime.nanoseconds)
    }

    /// Goes on after a time in which the client had nothing to take, which doesn't count. What it gets now has the whole
    /// time for an answer.
    mutating func goOn(since pause: UInt64, now: UInt64) {
        progressed += now - pause
        windowBegan += now - pause
        began = now
    }

    /// Notes how much has arrived at the client.
    /// - Returns: false where it is too slow.
    mutating func note(taken total: Int, now: UInt64) -> Bool {
        if total > taken {
            taken = total
            progressed = now
        }
        guard now < progressed + limits.sendStallTime.nanoseconds, now < began + limits.sendTime.nanoseconds else {
            return false
        }
        if now >= windowBegan + limits.sendWindow.nanoseconds {
            guard taken - takenBeforeWindow >= limits.sendBytesPerWindow else { return false }
            takenBeforeWindow = taken
            windowBegan = now
        }
        return true
    }
}
