internal import Synchronization

/// The current limits. Holders of a copy detect newer ones by the edition, at almost no cost.
final class CurrentLimits: Sendable {
    private let limits: Mutex<LimitsSnapshot>
    private let changes = Atomic<Int>(0)

    init(_ limits: ServerLimits) {
        self.limits = Mutex(LimitsSnapshot(limits))
    }

    var value: LimitsSnapshot { limits.withLock { $0 } }

    /// How often the limits were replaced.
    var edition: Int { changes.load(ordering: .acquiring) }

    func replace(with newer: ServerLimits) {
        let newer = LimitsSnapshot(newer)
        limits.withLock { $0 = newer }
        changes.add(1, ordering: .releasing)
    }
}

/// One edition of the limits, shared by all connections.
final class LimitsSnapshot: Sendable {
    let values: ServerLimits
    /// In nanoseconds, computed once.
    let headerTime, idleTime, sendStallTime, window: UInt64

    init(_ limits: ServerLimits) {
        values = limits
        headerTime = limits.headerTime.nanoseconds
        idleTime = limits.idleTime.nanoseconds
        sendStallTime = limits.sendStallTime.nanoseconds
        window = limits.window.nanoseconds
    }
}
