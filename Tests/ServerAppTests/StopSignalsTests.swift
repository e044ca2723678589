import Foundation
import Testing

@testable import ServerApp

@Suite("Signals to stop")
struct StopSignalsTests {
    @Test func `a second signal ends a process that hangs`() async {
        await #expect(processExitsWith: .exitCode(128 + SIGTERM)) {
            let signals = StopSignals()
            kill(getpid(), SIGTERM)
            kill(getpid(), SIGINT)
            // Longer than the server's patience, and not for ever where it doesn't keep its word.
            withExtendedLifetime(signals) { _ = sleep(60) }
        }
    }
}
