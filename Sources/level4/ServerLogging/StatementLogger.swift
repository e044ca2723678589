import StoreMetrics
import Synchronization

/// Logs slow statements as warnings, up to a number per time span, and every statement at the level debug. The text is
/// that sent to the database, with placeholders instead of values.
package final class StatementLogger: StatementLog {
    /// The maximum number of slow statements logged per time span; further ones are only counted.
    static let most = 10
    static let span = Duration.seconds(10)
    /// The maximum length of a statement and of a plan in a line.
    private static let longest = 2_000

    private struct Told {
        var spanBegan: ContinuousClock.Instant
        var count = 0
        /// The number of slow statements not reported yet.
        var untold = 0
    }

    private let lines: Log
    private let slow: Int64
    private let now: @Sendable () -> ContinuousClock.Instant
    private let told: Mutex<Told>

    /// - Parameter milliseconds: the duration from which a statement is slow; 0 for never.
    package init(
        _ logger: Log, slowMilliseconds milliseconds: Int,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        lines = logger
        slow = milliseconds == 0 ? .max : Int64(milliseconds) * 1_000_000
        self.now = now
        told = Mutex(Told(spanBegan: now()))
    }

    package var threshold: Int64 { lines.takes(.debug) ? 0 : lines.takes(.warning) ? slow : .max }

    package func tell(_ sql: String, took nanoseconds: Int64, plan: () -> String?) {
        let isDebug = lines.takes(.debug)
        if nanoseconds >= slow, let untold = admit() {
            let plan = isDebug ? plan() : nil
            lines.log(.warning, "slow statement") { line in
                line.add("ms", number: nanoseconds / 1_000_000)
                if let plan { line.add("plan", plan.shortened(to: Self.longest)) }
                line.add("sql", sql.shortened(to: Self.longest))
                if untold > 0 { line.add("untold", number: Int64(untold)) }
            }
        } else if isDebug {
            lines.log(.debug, "statement") { line in
                line.add("sql", sql.shortened(to: Self.longest))
                line.add("us", number: nanoseconds / 1_000)
            }
        }
    }

    /// - Returns: how many slow statements went unlogged before this one; nil if this one isn't logged either.
    private func admit() -> Int? {
        let time = now()
        return told.withLock { told in
            if told.spanBegan.duration(to: time) >= Self.span {
                told.spanBegan = time
                told.count = 0
            }
            guard told.count < Self.most else {
                told.untold += 1
                return nil
            }
            told.count += 1
            defer { told.untold = 0 }
            return told.untold
        }
    }
}
