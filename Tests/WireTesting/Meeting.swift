import Foundation
import Synchronization

/// A place where so many threads wait for one another.
public final class Meeting: Sendable {
    private let missing: Atomic<Int>

    /// - Parameter count: of the threads that come.
    public init(_ count: Int) {
        missing = Atomic(count)
    }

    /// Whether some haven't come yet.
    public var isWaiting: Bool { missing.load(ordering: .acquiring) > 0 }

    /// Says that this one has come.
    public func arrive() {
        missing.subtract(1, ordering: .acquiringAndReleasing)
    }

    /// Does something, says that this one has come, and waits until all have. Each thread is its test's own.
    public func attend(_ body: () throws -> Void) rethrows {
        do {
            defer { arrive() }
            try body()
        }
        while isWaiting { Thread.sleep(forTimeInterval: 0.002) }
    }
}
