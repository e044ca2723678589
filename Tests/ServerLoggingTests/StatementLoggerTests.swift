import Synchronization
import Testing
import WireTesting

@testable import ServerLogging

@Suite("The log of statements")
struct StatementLoggerTests {
    private let lines = LogLines()

    /// A clock that stands still until it is set.
    private final class SettableTime: Sendable {
        private let instant = Mutex(ContinuousClock.now)
        var now: ContinuousClock.Instant { instant.withLock { $0 } }
        func move(by duration: Duration) { instant.withLock { $0 += duration } }
    }

    private let time = SettableTime()

    private func log(_ level: LogLevel, slow milliseconds: Int = 100) -> StatementLogger {
        var log = LogSettings()
        log.level = level
        let logger = Log(CurrentLogSettings(log), write: lines.append)
        return StatementLogger(logger, slowMilliseconds: milliseconds) { [time] in time.now }
    }

    @Test(arguments: [
        (LogLevel.info, 100, Int64(100_000_000)), (.debug, 100, 0), (.error, 100, .max),
        (.info, 0, .max),
    ])
    func `tells what is slow, at debug all, and nothing where nobody would hear it`(
        level: LogLevel, slow: Int, threshold: Int64
    ) {
        #expect(log(level, slow: slow).threshold == threshold)
    }

    @Test func `a slow statement has a line with its time, and its plan at debug only`() {
        log(.info).tell("SELECT 1", took: 250_000_000) { "a plan" }
        log(.debug).tell("SELECT 1", took: 250_000_000) { "a plan" }
        log(.debug).tell("SELECT 1", took: 99_000_000) { "a plan" }
        let words = lines.all.map { $0.drop { $0 != " " }.dropFirst() }
        #expect(
            words == [
                "warning slow statement ms=250 sql=\"SELECT 1\"\n",
                "warning slow statement ms=250 plan=\"a plan\" sql=\"SELECT 1\"\n",
                "debug statement sql=\"SELECT 1\" us=99000\n",
            ])
    }

    @Test func `a flood of slow statements has a few lines and their number, and asks for few plans`() {
        let log = log(.debug)
        let plans = Mutex(0)
        func flood() {
            for _ in 0..<50 {
                log.tell(String(repeating: "x", count: 5_000), took: 1_000_000_000) {
                    plans.withLock { $0 += 1 }
                    return nil
                }
            }
        }
        flood()
        let slow = lines.all.filter { $0.contains(" slow statement ") }
        #expect(slow.count == StatementLogger.most && plans.withLock { $0 } == StatementLogger.most)
        #expect(slow.allSatisfy { $0.utf8.count < 4_096 })
        time.move(by: StatementLogger.span)
        flood()
        let untold = 50 - StatementLogger.most
        #expect(lines.all.contains { $0.hasSuffix(" untold=\(untold)\n") })
    }
}
