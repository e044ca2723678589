internal import HTTPModel
internal import Platform

/// The time of an event loop, read once per turn: monotonic for limits, wall-clock for the Date field.
struct LoopClock {
    /// The monotonic clock in nanoseconds.
    private(set) var now: UInt64 = 0
    /// The Date field as a line with its line ending.
    private(set) var dateLine: [UInt8] = []
    private var second = 0

    init() {
        refresh()
    }

    mutating func refresh() {
        now = Self.monotonic()
        let wall = Clocks.coarseSeconds
        if wall != second || dateLine.isEmpty {
            second = wall
            dateLine = Self.line(at: Int64(second))
        }
    }

    /// Returns the Date field for a second since 1970, as a line with its line ending.
    static func line(at second: Int64) -> [UInt8] {
        Array("Date: \(HTTPDate.text(secondsSinceEpoch: second))\r\n".utf8)
    }

    static func monotonic() -> UInt64 { Clocks.coarse }
}

extension Duration {
    /// The duration in whole nanoseconds: 0 if it is negative, the maximum if it doesn't fit.
    var nanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        let (product, overflow) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
        return overflow || product > UInt64.max / 4 ? UInt64.max / 4 : product + UInt64(attoseconds) / 1_000_000_000
    }
}
