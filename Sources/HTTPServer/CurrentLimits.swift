internal import Synchronization

/// The limits as they stand now. Who has a copy sees by the edition, at no cost to speak of, that there are newer ones.
final class CurrentLimits: Sendable {
    private let limits: Mutex<ServerLimits>
    private let changes = Atomic<Int>(0)

    init(_ limits: ServerLimits) {
        self.limits = Mutex(limits)
    }

    var value: ServerLimits { limits.withLock { $0 } }

    /// How often they were replaced.
    var edition: Int { changes.load(ordering: .acquiring) }

    func replace(with newer: ServerLimits) {
        limits.withLock { $0 = newer }
        changes.add(1, ordering: .releasing)
    }
}
